/** The routes that are not procedures. A test calls the API host for every line. */
export interface PlainRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly who: 'public' | 'session' | 'agent' | 'provider' | 'operator';
  readonly request: string;
  readonly answer: string;
}

export const PLAIN_ROUTES: readonly PlainRoute[] = [
  {
    method: 'POST',
    path: '/api/auth/email-otp/send-verification-otp',
    who: 'public',
    request: '`{email, type: "sign-in"}`',
    answer: '200 `{success: true}` and `Set-Cookie`; the code is mailed; 429, 503 `MAIL_UNAVAILABLE`',
  },
  {
    method: 'POST',
    path: '/api/auth/sign-in/email-otp',
    who: 'public',
    request: '`{email, otp, name?}`',
    answer:
      '200 SignInAnswer and `Set-Cookie`; 400 `INVALID_OTP`, `OTP_EXPIRED`; 403 `TOO_MANY_ATTEMPTS`; 429',
  },
  {
    method: 'POST',
    path: '/api/auth/sign-in/social',
    who: 'public',
    request: '`{provider: "google" \\| "apple", idToken}`; `idToken` a string, or `{token, nonce?}`',
    answer: '200 SignInAnswer and `Set-Cookie`; 401 `INVALID_TOKEN`; 404 `PROVIDER_NOT_FOUND`; 429',
  },
  {
    method: 'GET',
    path: '/api/auth/get-session',
    who: 'public',
    request: '',
    answer: '200 `{session, user}`, or `null` when nobody is signed in',
  },
  {
    method: 'POST',
    path: '/api/auth/sign-out',
    who: 'public',
    request: '`{}`',
    answer: '200 `{success: true}`',
  },
  {
    method: 'POST',
    path: '/api/mail-switches/{name}',
    who: 'public',
    request: 'the signed name in a mail (`List-Unsubscribe`)',
    answer: '200, the kind of mail is switched off; 404',
  },
  {
    method: 'GET',
    path: '/api/mail-switches/{name}',
    who: 'public',
    request: '',
    answer: '303 to the menu, where the switches are; 404',
  },
  {
    method: 'POST',
    path: '/api/property-images',
    who: 'agent',
    request: 'multipart: `propertyId`, `roomType?` or `imageOf?`, `file`, the id in front of the file',
    answer:
      '201 PropertyImage; 413 `PHOTO_TOO_LARGE`, 415 `PHOTO_TYPE_UNSUPPORTED` (file) or `UNSUPPORTED_MEDIA_TYPE` (no form), 422 `PHOTO_BROKEN`, 429 `QUOTA_REACHED` with `details`',
  },
  {
    method: 'PATCH',
    path: '/api/property-images/{imageId}',
    who: 'agent',
    request:
      '`{isMain?: boolean, position?: int, roomType?: RoomType \\| null, imageOf?: ImageOf \\| null}`, at least one; `roomType` or `imageOf`, not both',
    answer:
      '200 PropertyImage; 400 `STAGED_CANNOT_BE_MAIN` for a staged image; 409 while the room is being staged',
  },
  {
    method: 'DELETE',
    path: '/api/property-images/{imageId}',
    who: 'agent',
    request: '',
    answer: '200 `{imageId, deleted: true}`; 400 `STAGED_DELETE_REFUSED`: use `ai.rejectStagedVariant`',
  },
  {
    method: 'PUT',
    path: '/api/users/avatar',
    who: 'session',
    request: 'multipart: `file`',
    answer: '200 Me; errors as for property images, with `PHOTO_TOO_LARGE` above 10 MiB',
  },
  { method: 'DELETE', path: '/api/users/avatar', who: 'session', request: '', answer: '200 Me' },
  { method: 'GET', path: '/api/avatars/{avatarId}', who: 'public', request: '', answer: 'the picture' },
  {
    method: 'GET',
    path: '/api/images/{imageId}',
    who: 'public',
    request: '`?w=&h=&fit=cover\\|contain&format=auto\\|jpeg\\|webp\\|avif&q=`',
    answer:
      'the picture; a private one only with the session of an agent of its listing, else 404; 422 `PHOTO_BROKEN` for another size of a stored picture that cannot be decoded; 503 with `Retry-After` when too many sizes wait to be made',
  },
  {
    method: 'GET',
    path: '/api/images/{imageId}/drift',
    who: 'public',
    request: '',
    answer:
      'the heat map of a staged picture, a PNG to lay over it; a private one only as the picture itself; 404 without one',
  },
  {
    method: 'GET',
    path: '/api/disclosure/{propertyId}.zip',
    who: 'agent',
    request: '`?market=`, one of `disclosure.listProfiles`; without it that of the listing’s address',
    answer:
      'a ZIP for agents of the listing, else 404; 409 `EXPORT_RUNNING`, `PICTURE_LOST`; 422 `EXPORT_TOO_LARGE`; 429; 503 with `Retry-After` when too many are under way',
  },
  {
    method: 'GET',
    path: '/api/provenance/{imageId}/qr.svg',
    who: 'public',
    request: '',
    answer: 'the address of the provenance page of a picture that was approved, as a QR code',
  },
  {
    method: 'POST',
    path: '/api/webhooks/provider/staging/{providerAttemptId}',
    who: 'provider',
    request: 'prediction object, signed by Standard Webhooks',
    answer: '200 `{received: true}`; 401 unsigned, 400 malformed, 404 unknown attempt, 503 try again',
  },
  { method: 'GET', path: '/healthz', who: 'operator', request: '', answer: '200 `{status: "ok", version}`' },
  {
    method: 'GET',
    path: '/readyz',
    who: 'operator',
    request: '',
    answer: '200 or 503 with a report of each part',
  },
];
