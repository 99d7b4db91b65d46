/** Parts that are loaded where they are first shown. */
import type { ComponentType, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component whose code is loaded when it first appears; `waiting` is shown until then. */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: (props: Props) => VNode,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Later(props: Props) {
    const [Component, set] = useState<ComponentType<Props> | undefined>(() => loaded);
    const [isFailed, setFailed] = useState(false);
    useEffect(() => {
      if (Component !== undefined) return;
      load().then(
        (component) => {
          loaded = component;
          set(() => component);
        },
        () => setFailed(true),
      );
    }, [Component]);
    if (isFailed)
      return <p class="failed">This part could not be loaded. Reload the page to try again.</p>;
    return Component === undefined ? waiting(props) : <Component {...props} />;
  };
}
