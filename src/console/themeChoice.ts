/** The chosen theme, stored in the browser. */
const name = 'vitrine-theme';

/** A theme; `system` follows the preference of the system. */
export type Theme = 'system' | 'light' | 'dark';

const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark';

/** The chosen theme. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(name);
    return isTheme(stored) ? stored : 'system';
  } catch {
    // Without storage, follow the system.
    return 'system';
  }
}

/** Applies a theme to this page and stores it for the next ones. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(name);
    else localStorage.setItem(name, theme);
  } catch {
    // Without storage, the choice applies to this page only.
  }
}

/** Whether a change of the browser's storage is one of the theme, made in another window. */
export const isThemeChange = ({ key }: StorageEvent): boolean => key === name;
