/**
 * Applies the chosen theme on every page. It runs in the head, before anything is drawn, so that
 * no page flashes in the other theme. Styles follow `data-theme`; `system` follows the system's
 * preference.
 */
import { isThemeChange, readTheme, setTheme, type Theme } from './themeChoice.ts';

const root = document.documentElement;
root.dataset.theme = readTheme();

const isChoice = (element: unknown): element is HTMLSelectElement =>
  element instanceof HTMLSelectElement && element.name === 'theme';

document.addEventListener('change', ({ target }) => {
  if (isChoice(target)) setTheme(target.value as Theme);
});

addEventListener('storage', (event) => {
  if (isThemeChange(event)) root.dataset.theme = readTheme();
});

document.addEventListener('DOMContentLoaded', () => {
  for (const element of document.getElementsByName('theme'))
    if (isChoice(element)) element.value = root.dataset.theme ?? 'system';
});
