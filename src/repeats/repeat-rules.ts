/**
 * What an `Idempotency-Key` means for each call that changes data, one line each. The middleware, the wrapper and
 * docs/api.md all use this table; a test compares it with the router and the routes.
 */
export interface RepeatRule {
  /** What the person must still be allowed to see before a stored answer is sent. */
  readonly about: RepeatSubject;
  /** The answer to a repeat when the process died between the commit of the work and the storing of its answer. */
  readonly afterCrash: AfterCrash;
}

/** `own`: only the caller. The others stand for the ids in the input: listing, image or images, assignments, job, tour or report. */
export type RepeatSubject =
  | 'own'
  | 'listing'
  | 'image'
  | 'images'
  | 'assignments'
  | 'job'
  | 'tour'
  | 'report';

/**
 * `kept`: the answer is stored in the transaction of the work, so this case cannot occur. `same`: the work runs
 * again, finds everything done and gives the same answer. Otherwise: the error code that says that the work was
 * done.
 */
export type AfterCrash = 'kept' | 'same' | 'NOT_FOUND' | 'CONFLICT' | 'TOUR_ALREADY_OPEN';

const rule = (about: RepeatSubject, afterCrash: AfterCrash): RepeatRule => ({ about, afterCrash });

/** By procedure, or method and path. */
export const REPEAT_RULES: Readonly<Record<string, RepeatRule>> = {
  'ai.approveStagedVariant': rule('image', 'same'),
  'ai.approveStagedVariants': rule('images', 'same'),
  'ai.cancelStagingJob': rule('job', 'same'),
  'ai.createRoomGroup': rule('listing', 'kept'),
  'ai.liftWithdrawal': rule('image', 'same'),
  'ai.rejectStagedVariant': rule('image', 'NOT_FOUND'),
  'ai.requestDescription': rule('listing', 'kept'),
  'ai.submitRoomStaging': rule('assignments', 'kept'),
  'ai.withdrawStagedVariant': rule('image', 'same'),
  'alerts.updateSettings': rule('own', 'same'),
  'disclosure.confirm': rule('listing', 'same'),
  'favorites.add': rule('own', 'same'),
  'favorites.remove': rule('own', 'same'),
  'favorites.setNote': rule('own', 'same'),
  'favorites.unshare': rule('own', 'same'),
  'homes.merge': rule('own', 'same'),
  // The author names each message: the work of a repeat finds it.
  'messages.block': rule('own', 'same'),
  'messages.markRead': rule('own', 'same'),
  'messages.open': rule('own', 'same'),
  'messages.report': rule('own', 'same'),
  'messages.send': rule('own', 'same'),
  'openHouses.cancel': rule('own', 'same'),
  'openHouses.create': rule('listing', 'kept'),
  'openHouses.update': rule('own', 'kept'),
  'properties.answerOffer': rule('own', 'same'),
  'properties.create': rule('own', 'kept'),
  'properties.declareAltered': rule('image', 'same'),
  'properties.leave': rule('own', 'NOT_FOUND'),
  'properties.offerAssignment': rule('listing', 'same'),
  'properties.offerOwnership': rule('listing', 'same'),
  'properties.setStatus': rule('listing', 'same'),
  'properties.unassignAgent': rule('listing', 'same'),
  'properties.update': rule('listing', 'same'),
  'properties.withdrawOffer': rule('own', 'same'),
  'searches.markSeen': rule('own', 'same'),
  'searches.remove': rule('own', 'same'),
  'searches.save': rule('own', 'same'),
  'searches.update': rule('own', 'same'),
  'push.subscribe': rule('own', 'same'),
  'push.unsubscribe': rule('own', 'same'),
  'tours.acceptReschedule': rule('tour', 'CONFLICT'),
  'tours.answerMismatch': rule('report', 'same'),
  'tours.cancel': rule('tour', 'CONFLICT'),
  'tours.complete': rule('tour', 'CONFLICT'),
  'tours.confirm': rule('tour', 'CONFLICT'),
  'tours.contestNoShow': rule('tour', 'same'),
  'tours.decline': rule('tour', 'CONFLICT'),
  'tours.markNoShow': rule('tour', 'CONFLICT'),
  'tours.markRead': rule('tour', 'same'),
  'tours.proposeReschedule': rule('tour', 'CONFLICT'),
  'tours.refuseReschedule': rule('tour', 'CONFLICT'),
  'tours.reportMismatch': rule('tour', 'same'),
  'tours.request': rule('own', 'TOUR_ALREADY_OPEN'),
  'tours.undo': rule('tour', 'CONFLICT'),
  'users.becomeAgent': rule('own', 'same'),
  'users.inviteColleague': rule('own', 'kept'),
  'users.updateProfile': rule('own', 'same'),
  'webhooks.remove': rule('own', 'same'),
  'webhooks.resend': rule('own', 'kept'),
  'webhooks.sendTest': rule('own', 'kept'),
  'webhooks.update': rule('own', 'same'),
  'POST /api/property-images': rule('listing', 'kept'),
  'PATCH /api/property-images/:imageId': rule('image', 'same'),
  'DELETE /api/property-images/:imageId': rule('image', 'NOT_FOUND'),
  'PUT /api/users/avatar': rule('own', 'kept'),
  'DELETE /api/users/avatar': rule('own', 'same'),
};

/**
 * Sign-in and account procedures, calls by machines, what anyone may send, and one whose answer holds a secret that is
 * stored nowhere: a key is ignored.
 */
export const WITHOUT_REPEATS: ReadonlySet<string> = new Set([
  // By the token of a mail: a key belongs to a person.
  'alerts.unsubscribe',
  'favorites.share',
  // For anyone: a key belongs to a person. A view counts once a day.
  'homes.countView',
  'properties.reportData',
  'users.confirmDeletion',
  'users.exportMyData',
  'users.requestDeletion',
  'users.requestExport',
  'users.requestVerification',
  'users.revokeOtherSessions',
  'users.revokeSession',
  'users.verifySession',
  // A secret is shown once.
  'webhooks.create',
  'webhooks.rotateSecret',
]);

/** The rule of a procedure or route; null when keys are ignored there. */
export function repeatRuleOf(operation: string): RepeatRule | null {
  return Object.hasOwn(REPEAT_RULES, operation) ? (REPEAT_RULES[operation] ?? null) : null;
}
