import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import './button.css';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'icon' | 'pill';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly kind?: ButtonKind;
  readonly children: ReactNode;
}

/** Every button of the site. `icon` needs an `aria-label`. */
export function Button({ kind = 'secondary', ...rest }: ButtonProps) {
  return <AriaButton className={`button button-${kind}`} {...rest} />;
}

/** A link to another page that looks like a button. */
export function ButtonLink({
  kind = 'secondary',
  ...rest
}: { readonly kind?: ButtonKind } & LinkComponentProps) {
  return <Link className={`button button-${kind}`} {...rest} />;
}
