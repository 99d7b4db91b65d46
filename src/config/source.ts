/** Reading settings one by one. */

/** The settings as texts; problems are collected. */
export type SettingSource = {
  readonly problems: string[];
  text(name: string): string | undefined;
  url(name: string, schemes: readonly string[], example: string): string | undefined;
};

/** Reads a setting that is on or off. */
export function readSwitch(source: SettingSource, name: string, usual: 'on' | 'off'): boolean {
  const text = source.text(name) ?? usual;
  if (text !== 'on' && text !== 'off') source.problems.push(`${name} must be on or off`);
  return text === 'on';
}
