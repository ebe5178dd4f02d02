import type { ReactNode } from 'react';
import type { StatusTone } from './status-tones.ts';
import './parts.css';

/** What a page shows instead of a list that holds nothing. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="empty-state">
      <h2>{title}</h2>
      {children}
      {action}
    </div>
  );
}

/** A place that will hold text or a picture. Read aloud as nothing. */
export function Skeleton({ height }: { readonly height: string }) {
  return <div className="skeleton" style={{ height }} aria-hidden="true" />;
}

/** A state in one or two words. */
export function StatusBadge({ tone, children }: { readonly tone: StatusTone; readonly children: ReactNode }) {
  return <span className={`status-badge status-badge-${tone}`}>{children}</span>;
}

/** The picture of a person, or their initials. */
export function Avatar({
  name,
  image,
  large = false,
}: {
  readonly name: string;
  readonly image: string | null;
  readonly large?: boolean;
}) {
  const initials = name
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 2)
    .map((word) => [...word][0]?.toLocaleUpperCase() ?? '')
    .join('');
  return (
    <span className={large ? 'avatar avatar-large' : 'avatar'} aria-hidden="true">
      {image === null ? initials : <img src={image} alt="" width={96} height={96} />}
    </span>
  );
}

/** One line of a list that may lead somewhere or hold a control. */
export function ListRow({
  title,
  detail,
  children,
}: {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className="list-row">
      <div>
        <div className="list-row-title">{title}</div>
        {detail === undefined ? null : <div className="muted list-row-detail">{detail}</div>}
      </div>
      {children}
    </div>
  );
}

/** A labeled field of a form; `hint` and `problem` are read with it. */
export function Field({
  label,
  problem,
  children,
}: {
  readonly label: string;
  readonly problem?: string | null;
  readonly children: ReactNode;
}) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label className="field">
      <span className="field-label">{label}</span>
      {children}
      {problem == null ? null : (
        <span className="field-problem" role="alert">
          {problem}
        </span>
      )}
    </label>
  );
}

/** The error message of a form; nothing while there is none. */
export function Problem({ text }: { readonly text: string | null }) {
  return text === null ? null : (
    <p className="field-problem" role="alert">
      {text}
    </p>
  );
}

/** A heading with what belongs to it. */
export function Section({
  title,
  id,
  children,
}: {
  readonly title: string;
  readonly id?: string;
  readonly children: ReactNode;
}) {
  return (
    <section className="section" id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
