// The HTML document of every page, and the frame of pages without a script of their own.

/**
 * A whole document. `assets` holds the addresses of shared assets: `base` (styles), `theme` (the
 * script that applies the chosen theme) and `icon`. `head` is added to the head.
 */
export function page({ title, description, head = '', body, assets }) {
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<title>${escaped(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(description)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="${assets.icon}">
<script src="${assets.theme}"></script>
${head}</head>
<body>
${body}
</body>
</html>
`;
}

/**
 * The skip link and the bar at the top; `current` is the part of the site, such as /guides. `own`
 * are controls of that part.
 */
export function siteHeader(current, assets, own = '') {
  const link = (href, name) =>
    `<a href="${href}"${href === current ? ' aria-current="true"' : ''}>${name}</a>`;
  return `<a class="skip" href="#content">Skip to content</a>
<header class="site-header"><div class="site-bar">
<a class="brand" href="/console/" aria-label="Vitrine"><img src="${assets.icon}" alt="" width="22" height="22"><span class="brand-name">Vitrine</span></a>
<nav class="site-nav" aria-label="Site">${link('/console/overview', 'Console')}${link('/guides', 'Guides')}${link('/reference', 'Reference')}</nav>
<div class="site-own">${own}<label class="theme"><span class="visually-hidden">Theme</span><select name="theme"><option value="system">System theme</option><option value="light">Light theme</option><option value="dark">Dark theme</option></select></label></div>
</div></header>`;
}

/** Escapes text for HTML. */
export function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
