/** How a device is shown in the list of a person's sessions: with names that are the same in every language. */
export interface DeviceNames {
  /** A browser; `App` for a native app; null when unknown. */
  client: string | null;
  system: string | null;
}

/** The first match counts: a browser's user agent also contains the names of browsers it is compatible with. */
const CLIENTS: readonly (readonly [RegExp, string])[] = [
  [/\bokhttp\/|\bCFNetwork\//, 'App'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bCFNetwork\//, 'iOS'],
  [/\bAndroid\b|\bokhttp\//, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
/** Longer ones are cut before they are stored. */
export const MAX_USER_AGENT = 300;

export function deviceNames(userAgent: string | null): DeviceNames {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT);
  const first = (names: typeof CLIENTS): string | null =>
    names.find(([sign]) => sign.test(text))?.[1] ?? null;
  return { client: first(CLIENTS), system: first(SYSTEMS) };
}
