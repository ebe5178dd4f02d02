import type { FormEvent, ReactNode } from 'react';
import { useWork } from '../../api/use-work.ts';
import { Button } from '../../primitives/button.tsx';
import { useText } from '../../site/use-site.ts';

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
  const { t } = useText();
  const { problem, isBusy, run } = useWork();
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    void run(() => work(form));
  };
  return (
    <form className="stack" onSubmit={onSubmit}>
      {children}
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {t(problem)}
        </p>
      )}
      <div>
        <Button kind={kind} type="submit" isDisabled={isBusy}>
          {submit}
        </Button>
      </div>
    </form>
  );
}
