import type { ReactNode } from 'react';
import './fold.css';

/** What a page shows on request; on paper it is open. Works without JavaScript. */
export function Fold({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <details className="fold">
      <summary>{title}</summary>
      {children}
    </details>
  );
}
