// The logo, drawn like in index.html. Decorative; the name beside it is text.
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true" focusable="false">
      <use href="#logo" />
    </svg>
  );
}
