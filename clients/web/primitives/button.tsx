import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ButtonHTMLAttributes } from 'react';
import './button.css';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'icon' | 'pill';

interface ButtonProps
  extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'disabled' | 'onClick'> {
  readonly kind?: ButtonKind;
  readonly isDisabled?: boolean;
  /** Called for a click, a tap, Enter and space. */
  readonly onPress?: () => void;
}

/** Every button of the site. `icon` needs an `aria-label`. */
export function Button({
  kind = 'secondary',
  type = 'button',
  isDisabled = false,
  onPress,
  ...rest
}: ButtonProps) {
  return (
    <button
      className={`button button-${kind}`}
      type={type}
      disabled={isDisabled}
      onClick={() => onPress?.()}
      {...rest}
    />
  );
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  kind = 'secondary',
  ...rest
}: { readonly kind?: ButtonKind } & LinkComponentProps) {
  return <Link className={`button button-${kind}`} {...rest} />;
}
