/**
 * Applies the chosen theme on every page. It runs in the head, before anything is drawn, so that
 * no page flashes in the other theme. Styles follow `data-theme`; `system` follows the system's
 * preference.
 */
const name = 'vitrine-theme';
const root = document.documentElement;

function readChoice(): string {
  try {
    return localStorage.getItem(name) ?? 'system';
  } catch {
    // Without storage, follow the system.
    return 'system';
  }
}

function saveChoice(theme: string): void {
  try {
    if (theme === 'system') localStorage.removeItem(name);
    else localStorage.setItem(name, theme);
  } catch {
    // Without storage, the choice applies to this page only.
  }
}

root.dataset.theme = readChoice();

const isChoice = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement && element.name === 'theme';

document.addEventListener('change', ({ target }) => {
  if (!isChoice(target)) return;
  root.dataset.theme = target.value;
  saveChoice(target.value);
});

// The choice was made in another window.
addEventListener('storage', ({ key }) => {
  if (key === name) root.dataset.theme = readChoice();
});

document.addEventListener('DOMContentLoaded', () => {
  for (const element of document.getElementsByName('theme'))
    if (isChoice(element)) element.value = root.dataset.theme ?? 'system';
});
