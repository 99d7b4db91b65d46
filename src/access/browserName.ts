/** Short names of browsers for the list of sessions. */

/** The specific names first: most browsers also carry the names of others. */
const browsers: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
  ['curl', /^curl\//],
];
const systems: readonly (readonly [string, RegExp])[] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Browser and system, such as "Firefox on Linux"; nothing else of the user-agent is stored. */
export function browserOf(userAgent: string | undefined): string {
  const nameIn = (names: typeof browsers) =>
    names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser === undefined)
    return system === undefined ? 'Unknown browser' : `Unknown browser on ${system}`;
  return system === undefined ? browser : `${browser} on ${system}`;
}
