/** Places that take documents: dropped on them, or chosen by a button. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

type DropProps = {
  /** Takes the documents, and the key of the row that they were dropped on. */
  readonly onFiles: (files: readonly File[], row: string | undefined) => void;
  /** Whether only the rows of a table take documents. */
  readonly hasRows?: boolean;
  readonly children: ComponentChildren;
};

/** An area that takes documents, and marks where they would go. */
export function DropArea({ onFiles, hasRows = false, children }: DropProps) {
  const area = useRef<HTMLDivElement>(null);
  const marked = useRef<HTMLElement | undefined>(undefined);
  const mark = (element: HTMLElement | undefined) => {
    marked.current?.classList.remove('dropping');
    element?.classList.add('dropping');
    marked.current = element;
  };
  const placeOf = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return undefined;
    if (!hasRows) return area.current ?? undefined;
    return (event.target as Element).closest<HTMLElement>('tbody tr') ?? undefined;
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same.
    <div
      ref={area}
      class="drop-area"
      onDragOver={(event) => {
        const place = placeOf(event);
        mark(place);
        if (place !== undefined) event.preventDefault();
      }}
      onDragLeave={() => mark(undefined)}
      onDrop={(event) => {
        const place = placeOf(event);
        mark(undefined);
        if (place === undefined) return;
        event.preventDefault();
        onFiles([...event.dataTransfer!.files], place.dataset.key);
      }}
    >
      {children}
    </div>
  );
}

/**
 * Stays on the page when a document is dropped beside the places for it; it would open otherwise.
 */
export function useNoStrayDrops(): void {
  useEffect(() => {
    const stop = (event: DragEvent) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
    };
    addEventListener('dragover', stop);
    addEventListener('drop', stop);
    return () => {
      removeEventListener('dragover', stop);
      removeEventListener('drop', stop);
    };
  }, []);
}

/** A button that chooses documents from the disk. */
export function ChooseButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Documents to import"
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      <button type="button" class="control primary" onClick={() => input.current?.click()}>
        Choose documents
      </button>
    </>
  );
}
