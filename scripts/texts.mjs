// Builds the texts for programs: the guides as Markdown, llms.txt and the feed of the changelog.
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { escaped } from './page.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** The address of the service in every text; the service puts its own in its place. */
const printedAddress = 'http://127.0.0.1:8080';
const changelog = 'CHANGELOG.md';

/**
 * Writes all texts; `addressOf` gives the address of a link of a document on the site, `pictured`
 * that of a picture.
 */
export function writeTexts({ folder, guides, addressOf, pictured, Marked }) {
  const copies = guides.map((guide) => ({ ...guide, text: asText(guide, addressOf, pictured) }));
  for (const { name, text } of copies) writeFileSync(join(folder, 'guides', `${name}.md`), text);
  const introduction = introduce();
  writeFileSync(join(folder, 'llms.txt'), `${introduction}\n${contents(guides)}`);
  const whole = copies.map(({ text }) => text.trimEnd()).join('\n\n---\n\n');
  writeFileSync(join(folder, 'llms-full.txt'), `${introduction}\n---\n\n${whole}\n`);
  writeFileSync(join(folder, 'changelog.atom'), feed(Marked, addressOf));
  const collection = readFileSync(join(root, 'docs/postman.json'));
  writeFileSync(join(folder, 'postman.json'), collection);
}

/**
 * A guide whose links lead to the texts of the service, and whose pictures are there for everybody;
 * links to other files become plain.
 */
function asText({ file, markdown }, addressOf, pictured) {
  return markdown.replaceAll(/(!?)\[([^\]]+)\]\(([^)\s]+)\)/g, (_, mark, text, href) => {
    if (mark === '!') return `![${text}](${printedAddress}${pictured(file, href).light})`;
    const address = addressOf(file, href);
    if (address === undefined) return text;
    if (!address.startsWith('/')) return `[${text}](${address})`;
    return `[${text}](${printedAddress}${address.replace(/^(\/guides\/[\w-]+)/, '$1.md')})`;
  });
}

function introduce() {
  return `# Vitrine

> Commerce analytics over HTTP and JSON: sales, advertising, profit and loss, orders, targets and
> searches of all connected stores, across marketplaces, currencies and time zones.

- The address of this service is ${printedAddress}. Every request carries an API key in the header
  \`x-api-key\`.
- \`channelId\` and \`merchantId\` together name a store. \`POST /channels\` lists them.
- Dates are Unix epoch times in whole seconds, both ends inclusive. \`timezone\` defines the days.
- Errors are \`{"status": "error", "error": "..."}\`. \`error\` lists every failing rule,
  separated by \`, \`. With \`Prefer: handling=strict\` fields that do not exist are refused.
`;
}

function contents(guides) {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- \`${method.toUpperCase()} ${path}\`: ${summary}`,
    ),
  );
  const listed = guides.map(
    ({ name, title, description }) =>
      `- [${title}](${printedAddress}/guides/${name}.md): ${description}`,
  );
  return `## Reference

- [Description of the API](${printedAddress}/openapi.json): all operations, OpenAPI 3.1
- [All guides in one text](${printedAddress}/llms-full.txt)

## Guides

${listed.join('\n')}

## Operations

${operations.join('\n')}

## Optional

- [Postman collection](${printedAddress}/postman.json): a request for each operation
- [Changes](${printedAddress}/changelog.atom): an Atom feed
`;
}

/** The feed: an entry for each change, the newest version first. */
function feed(Marked, addressOf) {
  const marked = new Marked({
    renderer: {
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const address = addressOf(changelog, href);
        if (address === undefined) return text;
        const target = address.startsWith('/') ? printedAddress + address : address;
        return `<a href="${escaped(target)}">${text}</a>`;
      },
    },
  });
  const unreleased = statSync(join(root, changelog)).mtime.toISOString();
  const entries = [];
  let version;
  for (const token of marked.lexer(readFileSync(join(root, changelog), 'utf8'))) {
    if (token.type === 'heading' && token.depth === 2) {
      const [, name, date] = /^(.+?)(?: \((\d{4}-\d\d-\d\d)\))?$/.exec(token.text);
      version = { name, updated: date === undefined ? unreleased : `${date}T00:00:00.000Z` };
    } else if (token.type === 'list')
      for (const item of token.items) entries.push(entryOf(marked, item, version));
  }
  const updated = entries
    .map((one) => one.updated)
    .sort()
    .at(-1);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${printedAddress}/changelog.atom</id>
<title>Vitrine: changes</title>
<subtitle>Everything that a client or operator can notice.</subtitle>
<link rel="self" type="application/atom+xml" href="${printedAddress}/changelog.atom"/>
<link rel="alternate" type="text/html" href="${printedAddress}/guides"/>
<author><name>Vitrine</name></author>
<updated>${updated}</updated>
${entries.map(({ text }) => text).join('\n')}
</feed>
`;
}

/** An entry, whose id stays when its change is released. */
function entryOf(marked, { text, tokens }, { name, updated }) {
  const title = /^\*\*(.+?)\.?\*\*/s.exec(text)?.[1] ?? text.split(/[.:]/, 1)[0];
  const plain = title.replaceAll(/[`*]|\[|\]\([^)]*\)/g, '').replaceAll(/\s+/g, ' ');
  const digest = createHash('sha256').update(plain).digest('hex');
  const id = digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return {
    updated,
    text: `<entry>
<id>urn:uuid:${id}</id>
<title>${escaped(plain)}</title>
<category term="${escaped(name)}"/>
<link rel="alternate" type="text/html" href="${printedAddress}/guides/versions"/>
<updated>${updated}</updated>
<content type="html">${escaped(marked.parser(tokens).trim())}</content>
</entry>`,
  };
}
