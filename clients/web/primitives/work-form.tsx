import { useMutation } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { problemText } from '../api/failures.ts';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Problem } from './parts.tsx';

/** What was entered into a field, without spaces around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

/** A form that says when it was saved, and why not. */
export function WorkForm({
  children,
  submit,
  work,
  kind = 'secondary',
}: {
  readonly children: ReactNode;
  readonly submit: string;
  readonly work: (form: FormData) => Promise<void>;
  readonly kind?: 'secondary' | 'danger' | 'primary';
}) {
  const text = useText();
  const { error, isPending, mutate } = useMutation({ mutationFn: work });
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      {children}
      <Problem text={problemText(text, error)} />
      <div>
        <Button kind={kind} type="submit" isDisabled={isPending}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
