/**
 * The choice of a theme on every page. It is read while the head is, before anything is drawn, so that no page flashes in the other theme; the
 * styles follow `data-theme`, and where that says `system` the system's preference.
 */
const name = 'vitrine-theme';
const root = document.documentElement;

function remembered(): string {
  try {
    return localStorage.getItem(name) ?? 'system';
  } catch {
    // A browser that keeps nothing follows the system.
    return 'system';
  }
}

function remember(theme: string): void {
  try {
    if (theme === 'system') localStorage.removeItem(name);
    else localStorage.setItem(name, theme);
  } catch {
    // It holds for this page then.
  }
}

root.dataset.theme = remembered();

const isChoice = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement && element.name === 'theme';

document.addEventListener('change', ({ target }) => {
  if (!isChoice(target)) return;
  root.dataset.theme = target.value;
  remember(target.value);
});

// Another window has chosen.
addEventListener('storage', ({ key }) => {
  if (key === name) root.dataset.theme = remembered();
});

document.addEventListener('DOMContentLoaded', () => {
  for (const element of document.getElementsByName('theme'))
    if (isChoice(element)) element.value = root.dataset.theme ?? 'system';
});
