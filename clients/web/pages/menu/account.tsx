import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { codeIn } from '../../primitives/mailed-code.ts';
import { Field } from '../../primitives/parts.tsx';
import { textOf, WorkForm } from '../../primitives/work-form.tsx';
import { forgetPerson } from '../../session/person.ts';
import { saveFile } from '../../site/save-file.ts';
import { useSite, useText } from '../../site/use-site.ts';

/**
 * Downloading and deleting the account. Both need a code that is mailed to the person, because a session alone may be
 * someone else's.
 */
export function AccountData({ isAgent }: { readonly isAgent: boolean }) {
  const site = useSite();
  const { api } = site;
  const { t } = useText();
  const router = useRouter();
  const exported = async (code: string): Promise<void> => {
    const parts: unknown[] = [];
    let cursor: string | null = null;
    do {
      const part: Awaited<ReturnType<typeof api.users.exportMyData>> = await api.users.exportMyData({
        code,
        cursor,
      });
      parts.push(part);
      cursor = part.nextCursor;
    } while (cursor !== null);
    const file = new Blob([JSON.stringify(parts, null, 2)], { type: 'application/json' });
    saveFile(file, `${fileName(site.settings.site.name)}.json`);
  };
  const deleted = async (code: string): Promise<void> => {
    await api.users.confirmDeletion({ code });
    forgetPerson(site);
    await router.navigate({ to: '/' });
  };
  return (
    <>
      <Coded
        title={t('menu.export')}
        text={t('menu.exportText')}
        ask={async () => void (await api.users.requestExport())}
        confirm={exported}
      />
      <Coded
        title={t('menu.delete')}
        text={[t('menu.deleteText'), ...(isAgent ? [t('menu.deleteListings')] : [])].join(' ')}
        isDangerous
        ask={async () => void (await api.users.requestDeletion())}
        confirm={deleted}
      />
    </>
  );
}

interface CodedProps {
  readonly title: string;
  readonly text: string;
  readonly isDangerous?: boolean;
  /** Has the code mailed. */
  readonly ask: () => Promise<void>;
  readonly confirm: (code: string) => Promise<void>;
}

function Coded({ title, text, isDangerous = false, ask, confirm }: CodedProps) {
  const { t } = useText();
  const [isAsked, setAsked] = useState(false);
  const kind = isDangerous ? 'danger' : 'secondary';
  return (
    <details>
      <summary className="menu-summary">{title}</summary>
      <p>{text}</p>
      {isAsked ? (
        <WorkForm submit={title} kind={kind} work={(form) => confirm(codeIn(textOf(form, 'code')))}>
          <Field label={t('signIn.code')}>
            <input
              className="input"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              maxLength={200}
            />
          </Field>
        </WorkForm>
      ) : (
        <WorkForm
          submit={t('signIn.sendCode')}
          kind={kind}
          work={async () => {
            await ask();
            setAsked(true);
          }}
        >
          {null}
        </WorkForm>
      )}
    </details>
  );
}

/** The name of the site as systems take it in the name of a file. */
const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '') || 'data';
