/** A link to the content, for those who use the keyboard. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it is a link to the content, but must not change the address, where a token may follow #.
    <a class="skip" href="#content" onClick={skip}>
      Skip to content
    </a>
  );
}

function skip(event: Event): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}
