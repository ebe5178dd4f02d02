/** How a device is shown in the list of a person's sessions: by names that are the same in every language. */
export interface DeviceNames {
  /** A browser; `App` for a native app; null when it does not say. */
  client: string | null;
  system: string | null;
}

/** The first that fits counts: browsers name those that they want to be taken for as well. */
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
/** Longer ones are cut before they are kept. */
export const MAX_USER_AGENT = 300;

export function deviceNames(userAgent: string | null): DeviceNames {
  const text = (userAgent ?? '').slice(0, MAX_USER_AGENT);
  const first = (names: typeof CLIENTS): string | null =>
    names.find(([sign]) => sign.test(text))?.[1] ?? null;
  return { client: first(CLIENTS), system: first(SYSTEMS) };
}
