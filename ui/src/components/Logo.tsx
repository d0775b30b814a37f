// The logo: a drone seen from above. Decorative; the name beside it is text. index.html draws it too.

export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <g className="logo-lines">
        <path d="m8 8 16 16M24 8 8 24" />
        <circle cx="8" cy="8" r="4.5" />
        <circle cx="24" cy="8" r="4.5" />
        <circle cx="8" cy="24" r="4.5" />
        <circle cx="24" cy="24" r="4.5" />
      </g>
      <rect className="logo-body" x="12" y="10.5" width="8" height="11" rx="4" />
      <circle className="logo-lens" cx="16" cy="14.2" r="1.5" />
    </svg>
  );
}
