/** The choice of the theme. */
import { useState } from 'preact/hooks';
import { Icon } from '../parts/icons.tsx';
import { readTheme, setTheme, type Theme } from '../themeChoice.ts';

const next: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' };

/** A button that goes from the system's theme to light, dark and back. */
export function ThemeButton() {
  const [theme, set] = useState<Theme>(readTheme);
  const name = `Theme: ${theme}`;
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      data-shortcut="t"
      onClick={() => {
        setTheme(next[theme]);
        set(next[theme]);
      }}
    >
      <Icon name="theme" />
    </button>
  );
}
