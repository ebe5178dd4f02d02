import { useText } from '../site/use-site.ts';
import { ButtonLink } from './button.tsx';
import { EmptyState } from './parts.tsx';

/** Stands in the place of a page that belongs to a person while no one is signed in. */
export function SignInPrompt({
  title,
  text,
  path,
}: {
  readonly title: string;
  readonly text: string;
  readonly path: string;
}) {
  const { t } = useText();
  return (
    <EmptyState
      title={title}
      action={
        <ButtonLink kind="primary" to="/sign-in" search={{ return: path }}>
          {t('signIn.signIn')}
        </ButtonLink>
      }
    >
      <p className="muted">{text}</p>
    </EmptyState>
  );
}
