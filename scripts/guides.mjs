// Builds the guides from Markdown, and the reference around the viewer from its package.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeAsset } from './assets.mjs';
import { coloured, contentsOf, searchBox, sectionsOf, writeSections } from './guideParts.mjs';
import { pictureAsHtml, pictureOf } from './guidePictures.mjs';
import { escaped, page, siteHeader } from './page.mjs';
import { writeTexts } from './texts.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const browsers = ['es2022', 'chrome123', 'firefox120', 'safari17.5'];

/** The pages under /guides, in order; `about` replaces the first sentence as the description. */
const documents = [
  { name: 'first-request', file: 'docs/guides/first-request.md' },
  { name: 'periods', file: 'docs/guides/periods.md' },
  { name: 'currencies', file: 'docs/guides/currencies.md' },
  { name: 'errors-and-limits', file: 'docs/guides/errors-and-limits.md' },
  { name: 'assistants', file: 'docs/guides/assistants.md' },
  { name: 'versions', file: 'docs/guides/versions.md' },
  { name: 'schedules', file: 'docs/guides/schedules.md' },
  { name: 'webhooks', file: 'docs/guides/webhooks.md' },
  { name: 'requests', file: 'docs/requests.md' },
  { name: 'importing', file: 'docs/guides/importing.md' },
  {
    name: 'datasets',
    file: 'docs/datasets.md',
    about: 'Which rows and documents can be imported, and what their fields mean.',
  },
  {
    name: 'install',
    file: 'docs/install.md',
    about: 'From a clone, as an npm package, with systemd, or in containers.',
  },
  { name: 'configuration', file: 'docs/guides/configuration.md' },
  {
    name: 'operations',
    file: 'docs/operations.md',
    about: "The operator's interface, limits, reports, and several nodes as one service.",
  },
  { name: 'command-line', file: 'docs/command-line.md' },
];
/** Addresses of other files of the repository. */
const served = {
  'docs/openapi.json': '/openapi.json',
  'docs/operator-openapi.json': '/operator/openapi.json',
  'docs/postman.json': '/postman.json',
  'CHANGELOG.md': '/changelog.atom',
};

/** Builds the guides; `assets` holds the addresses of shared assets. */
export async function buildGuides({ folder, assets }) {
  const { marked, own } = await withLibraries(folder);
  const styles = `<link rel="stylesheet" href="${assets.base}">\n<link rel="stylesheet" href="${own['guides.css']}">\n`;
  const head = `${styles}<script type="module" src="${own['guides.js']}"></script>
<link rel="alternate" type="application/atom+xml" title="Changes" href="/changelog.atom">\n`;
  const pictured = (file, href) => pictureOf(folder, file, href);
  const read = documents.map((document) => ({
    ...document,
    ...readGuide(marked, document, pictured),
  }));
  writeTexts({ folder, guides: read, addressOf, pictured, Marked: marked });
  const search = searchBox(writeSections(folder, read.flatMap(sectionsOf)));
  const list = (current) =>
    read
      .map(
        ({ name, title }) =>
          `<li><a href="/guides/${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(title)}</a></li>`,
      )
      .join('\n');
  const write = (name, title, description, current, content, contents = '') => {
    const body = `${siteHeader('/guides', assets, search)}
<div class="site-content with-side">
<nav class="side-nav" aria-label="Guides"><ul>
${list(current)}
</ul></nav>
${contents}
<main id="content" tabindex="-1" class="prose">
${content}
</main>
</div>`;
    writeFileSync(
      join(folder, 'guides', `${name}.html`),
      page({ title: `${title} - Vitrine`, description, head, body, assets }),
    );
  };
  for (const [place, { name, title, description, html, headings }] of read.entries()) {
    const next = read[place + 1];
    const onwards = next
      ? `<p class="onwards">Next: <a href="/guides/${next.name}">${escaped(next.title)}</a></p>`
      : '';
    write(name, title, description, name, `${html}${onwards}`, contentsOf(headings));
  }
  const entries = read.map(
    ({ name, title, description }) =>
      `<li><h2><a href="/guides/${name}">${escaped(title)}</a></h2><p>${escaped(description)}</p></li>`,
  );
  const intro = `<h1>Guides</h1>
<p>How to use the API and how to run the service. You can send every request to the demonstration as it is shown; the <a href="/reference">reference</a> lists every field and error.</p>`;
  write(
    'index',
    'Guides',
    'How to use and run Vitrine.',
    '',
    `${intro}\n<ul class="guide-list">\n${entries.join('\n')}\n</ul>`,
  );
}

async function withLibraries(folder) {
  const { Marked } = await import('marked');
  mkdirSync(join(folder, 'guides', 'assets'), { recursive: true });
  return { marked: Marked, own: await buildOwn(folder, 'guides', ['guides.ts', 'guides.css']) };
}

/** Bundles files of src/reference for a part of the site; returns their addresses by name. */
async function buildOwn(folder, part, files) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files.map((file) => join(root, 'src', 'reference', file)),
    bundle: true,
    minify: true,
    format: 'iife',
    target: browsers,
    loader: { '.woff2': 'file' },
    entryNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    outdir: join(folder, part, 'assets'),
    legalComments: 'none',
    metafile: true,
    logLevel: 'error',
  });
  const names = Object.keys(metafile.outputs).map((file) => basename(file));
  return Object.fromEntries(
    names.map((name) => [name.replace(/-[A-Z0-9]+\./, '.'), `/${part}/assets/${name}`]),
  );
}

/** The title, the first sentence and the HTML of a document; `pictured` finds its pictures. */
function readGuide(Marked, { file, about }, pictured) {
  const marked = new Marked();
  const slugs = new Map();
  const headings = [];
  let section = '';
  marked.use({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const text = this.parser.parseInline(tokens, this.parser.textRenderer);
        if (depth === 1) return `<h1>${html}</h1>\n`;
        section = text;
        const id = unique(slugs, text);
        headings.push({ depth, id, text });
        return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}"><span class="visually-hidden">Link to ${text}</span><span aria-hidden="true">#</span></a></h${depth}>\n`;
      },
      code({ text, lang, codeBlockStyle }) {
        const isCommand = codeBlockStyle === 'indented' || lang === 'sh';
        const copy = isCommand ? '<button type="button" class="copy" hidden>Copy</button>' : '';
        const kind = isCommand ? 'command' : 'answer';
        const label = isCommand ? 'Command' : 'Answer';
        return `<div class="code-block ${kind}"><p class="code-kind" aria-hidden="true">${label}</p>${copy}<pre tabindex="0" role="group" aria-label="${label}"><code>${coloured(text, isCommand ? 'bash' : lang)}</code></pre></div>\n`;
      },
      table(token) {
        const cells = (row, tag) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
        const empty = (row) =>
          row.map((cell) =>
            cell.text === ''
              ? { ...cell, tokens: [{ type: 'text', raw: 'Meaning', text: 'Meaning' }] }
              : cell,
          );
        const body = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
        const html = `<table><thead><tr>${cells(empty(token.header), 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead><tbody>\n${body}\n</tbody></table>`;
        return `<div class="scrolls" role="region" tabindex="0" aria-label="Table: ${section}">${html}</div>\n`;
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens);
        const target = addressOf(file, href);
        return target === undefined ? html : `<a href="${escaped(target)}">${html}</a>`;
      },
      image: ({ href, text }) => pictureAsHtml(pictured(file, href), text),
    },
  });
  const markdown = readFileSync(join(root, file), 'utf8');
  const tokens = marked.lexer(markdown);
  const title = tokens.find(({ type, depth }) => type === 'heading' && depth === 1).text;
  const first = tokens.find(({ type }) => type === 'paragraph').text;
  const sentence = first
    .replaceAll(/[`*]|\[|\]\([^)]*\)/g, '')
    .split(/(?<=[.:])\s/)[0]
    .replace(/:$/, '.');
  return {
    title: title.replaceAll('`', ''),
    description: about ?? sentence,
    html: marked.parser(tokens),
    headings,
    tokens,
    file,
    markdown,
  };
}

/** The id of a heading, as GitHub makes it. */
function unique(slugs, text) {
  const slug = text
    .toLowerCase()
    .replaceAll(/&\w+;|[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
  const count = slugs.get(slug) ?? 0;
  slugs.set(slug, count + 1);
  return count === 0 ? slug : `${slug}-${count}`;
}

/** The address of a link on the site; undefined for files that are not served. */
function addressOf(file, href) {
  if (/^(#|https?:|mailto:)/.test(href)) return href;
  const [path, anchor] = href.split('#');
  const target = join(dirname(file), path);
  const document = documents.find((one) => one.file === target);
  const address = document ? `/guides/${document.name}` : served[target];
  return address && (anchor ? `${address}#${anchor}` : address);
}

/** Builds the reference: its page, its own script and styles, and the viewer. */
export async function buildReference({ folder, assets }) {
  mkdirSync(join(folder, 'reference', 'assets'), { recursive: true });
  const own = await buildOwn(folder, 'reference', ['reference.ts', 'reference.css']);
  const viewer = writeAsset(folder, 'reference', 'viewer.js', await takeViewer());
  const head = `<link rel="stylesheet" href="${own['reference.css']}">
<script defer src="${own['reference.js']}"></script>
<script defer src="${viewer}"></script>
`;
  const body = `${siteHeader('/reference', assets)}
<div id="content" tabindex="-1"><div id="reference"></div></div>
<noscript><p>The reference needs JavaScript, which is turned off in this browser. Read the description itself at <a href="/openapi.json">/openapi.json</a> (OpenAPI 3.1), or the <a href="/guides">guides</a>.</p></noscript>`;
  const description =
    'Every operation of the Vitrine API with its fields, rules and errors, ready to try.';
  writeFileSync(
    join(folder, 'reference', 'index.html'),
    page({ title: 'Reference - Vitrine', description, head, body, assets }),
  );
}

/** The viewer's script, taken from its Fastify plugin with a server that never listens. */
async function takeViewer() {
  const [{ default: fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ]);
  const server = fastify();
  await server.register(reference, {
    routePrefix: '/reference',
    configuration: { url: '/openapi.json' },
  });
  const { statusCode, rawPayload } = await server.inject('/reference/js/scalar.js');
  await server.close();
  if (statusCode !== 200) throw new Error(`the reference's viewer answered ${statusCode}`);
  return rawPayload;
}
