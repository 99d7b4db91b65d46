/** Shows the description of the interface in the viewer, which asks no other host and keeps no key. It runs before the viewer's own script. */

type Configuration = Readonly<Record<string, unknown>>;
declare const Scalar: { createApiReference(place: string, configuration: Configuration): unknown };

// The viewer's checks would else try whether they may compile code, which the page's policy forbids and reports.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

const configuration: Configuration = {
  url: '/openapi.json',
  // What is tried goes where this page came from, by whatever name that is known here.
  servers: [{ url: location.origin }],
  theme: 'none',
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  // Nothing of the viewer's makers: no proxy, no figures, no chat, no other clients.
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // A key that is entered is gone with the page.
  persistAuth: false,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hideModels: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
};

function isDark(): boolean {
  const { theme } = root.dataset;
  return theme === 'dark' || (theme !== 'light' && system.matches);
}

/** The viewer is told of a theme only when it begins; after that it follows these classes. */
function followTheme(): void {
  document.body.classList.toggle('dark-mode', isDark());
  document.body.classList.toggle('light-mode', !isDark());
}

/** Names what the viewer leaves without a name, for those who do not see it. */
function nameNameless(): void {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy');
  for (const field of document.querySelectorAll(
    '[role="combobox"][contenteditable]:not([aria-label])',
  )) {
    field.setAttribute('aria-label', field.getAttribute('data-placeholder') || 'Value');
    if (!field.hasAttribute('aria-expanded')) field.setAttribute('aria-expanded', 'false');
  }
}

document.addEventListener('DOMContentLoaded', () => {
  Scalar.createApiReference('#reference', {
    ...configuration,
    forceDarkModeState: isDark() ? 'dark' : 'light',
  });
  // Once the viewer, which hears of the system's change as well, has put back what it began with.
  const follow = () => setTimeout(followTheme);
  system.addEventListener('change', follow);
  new MutationObserver(follow).observe(root, { attributeFilter: ['data-theme'] });
  new MutationObserver(nameNameless).observe(document.body, { childList: true, subtree: true });
});
