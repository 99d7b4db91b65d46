/** Rewords what the service proposes as a reader of the command line would type it. */

/** Parameters of imports, and their options where these are spelled differently. */
const options: Readonly<Record<string, string>> = {
  channelId: 'channel',
  dataset: 'dataset',
  type: 'type',
  from: 'from',
  to: 'to',
  coarse: 'coarse',
  zone: 'zone',
  decimal: 'decimal',
  dates: 'dates',
  confirm: 'confirm',
  attribution: 'attribution',
  replace: 'replace',
  onError: 'on-error',
};
const names = Object.keys(options).join('|');
const parameter = new RegExp(`&?\\b(${names})=([\\w-]+)`, 'g');
/** A parameter that a rule of the service begins or ends with. */
const ruled = new RegExp(`(?<=^|, |before )(${names})(?= must | is required|$)`, 'g');

/** The text with options, as `--coarse lastDay`, in place of parameters, as `coarse=lastDay`. */
export function asTyped(text: string): string {
  return text
    .replaceAll(/send them to \/operator\/imports\/(\w+)/g, 'add --dataset $1')
    .replaceAll('GET /operator/freshness?channelId=...', '"vitrine freshness CHANNEL"')
    .replaceAll(/Call GET \/operator\/imports\/(\d+)/g, 'Run "vitrine imports show $1"')
    .replaceAll('GET /operator/imports?state=failed', '"vitrine imports list --state failed"')
    .replaceAll('GET /operator/documents lists the kinds', '"vitrine documents" lists the kinds')
    .replaceAll(/by charset=([\w-]+) in its content type/g, 'by --charset $1')
    .replaceAll('omit channelId', 'omit --channel')
    .replaceAll(ruled, (_, name: string) => `--${options[name]}`)
    .replaceAll(/\bfrom and to\b/g, '--from and --to')
    .replaceAll('without a type', 'without --type')
    .replaceAll(
      'save the tax rates of the channel',
      'save the tax rates of the channel with "vitrine channels taxes"',
    )
    .replaceAll(
      /^there is no such channel$/g,
      'there is no such channel: "vitrine channels list" lists them',
    )
    .replaceAll(parameter, (found, name: string, value: string) => {
      const option = value === 'true' ? `--${options[name]}` : `--${options[name]} ${value}`;
      return found.startsWith('&') ? ` ${option}` : option;
    });
}
