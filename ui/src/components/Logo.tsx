// The mark of the product: a drone seen from above. Decoration; the name stands beside it as text.

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg
      className="logo-mark"
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <g className="logo-mark-lines">
        <path d="M13 13 9 9M19 13l4-4M13 19l-4 4M19 19l4 4" />
        <circle cx="8" cy="8" r="5" />
        <circle cx="24" cy="8" r="5" />
        <circle cx="8" cy="24" r="5" />
        <circle cx="24" cy="24" r="5" />
      </g>
      <rect className="logo-mark-body" x="11.5" y="10" width="9" height="12" rx="3.5" />
      <circle className="logo-mark-lens" cx="16" cy="13.5" r="1.6" />
    </svg>
  );
}
