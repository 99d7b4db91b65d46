/** Shows the API description in the viewer, which contacts no other host and stores no key. */

type Configuration = Readonly<Record<string, unknown>>;
declare const Scalar: { createApiReference(place: string, configuration: Configuration): unknown };

// Keeps the viewer from testing whether it may compile code, which the page's policy forbids.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');

const configuration: Configuration = {
  url: '/openapi.json',
  // Requests go to the host that served this page.
  servers: [{ url: location.origin }],
  theme: 'none',
  withDefaultFonts: false,
  hideDarkModeToggle: true,
  // None of the vendor's services: no proxy, no analytics, no chat, no other clients.
  proxyUrl: '',
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  // A key that is entered is not stored.
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

/** The viewer reads the theme once when it starts; later it follows these classes. */
function followTheme(): void {
  document.body.classList.toggle('dark-mode', isDark());
  document.body.classList.toggle('light-mode', !isDark());
}

/** Adds accessible names that the viewer lacks. */
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
  // After the viewer, which also reacts to the system's theme, has restored its initial one.
  const follow = () => setTimeout(followTheme);
  system.addEventListener('change', follow);
  new MutationObserver(follow).observe(root, { attributeFilter: ['data-theme'] });
  new MutationObserver(nameNameless).observe(document.body, { childList: true, subtree: true });
});
