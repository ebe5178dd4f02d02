import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import type { Inputs } from '../../../typescript/procedures.ts';
import { forgetPerson, type Me, usePerson } from '../../app/person.ts';
import { me, sessions } from '../../app/queries.ts';
import { chooseTheme, currentTheme, THEMES } from '../../app/theme.ts';
import { useSite, useText } from '../../app/use-site.ts';
import { useWork } from '../../app/use-work.ts';
import { Button } from '../../primitives/button.tsx';
import { Field, ListRow, Section, Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { AvatarForm } from './avatar-form.tsx';
import './menu.css';

/** Profile, language, theme, sessions and the account. Language and theme also for those who are not signed in. */
export function Component() {
  const { t } = useText();
  const person = usePerson();
  return (
    <div className="page page-narrow">
      <h1>{t('tabs.menu')}</h1>
      {person === undefined ? (
        <Skeleton height="12rem" />
      ) : person === null ? (
        <SignInPrompt title={t('menu.promptTitle')} text={t('menu.promptText')} path="/menu" />
      ) : (
        <Profile person={person} />
      )}
      <Settings />
      {person == null ? null : (
        <>
          {person.role === 'agent' ? null : <BecomeAgent />}
          <Mails person={person} />
          <Sessions />
          <AccountData />
          <SignOut />
        </>
      )}
    </div>
  );
}

/** A form that says when it was saved, and why not. */
function WorkForm({
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

type MailKind = NonNullable<NonNullable<Inputs['users']['updateProfile']>['mutedMails']>[number];
/** In the order of a visit. */
const MAIL_KINDS: readonly MailKind[] = [
  'TOUR_REQUESTED',
  'TOUR_PROPOSED',
  'TOUR_CONFIRMED',
  'TOUR_DECLINED',
  'TOUR_CANCELED',
];

const textOf = (form: FormData, name: string): string => String(form.get(name) ?? '').trim();

function Profile({ person }: { readonly person: Me }) {
  const site = useSite();
  const { t } = useText();
  const save = async (form: FormData): Promise<void> => {
    const phone = textOf(form, 'phone');
    const changed = await site.api.users.updateProfile({
      name: textOf(form, 'name'),
      phone: phone === '' ? null : phone,
      ...(person.role === 'agent' ? { emailPublic: form.has('emailPublic') } : {}),
    });
    site.queries.setQueryData(me(site).queryKey, changed);
    site.notices.say('menu.saved');
  };
  return (
    <Section title={t('menu.profile')}>
      <AvatarForm person={person} />
      <WorkForm submit={t('common.save')} work={save}>
        <Field label={t('signIn.name')}>
          <input
            className="input"
            name="name"
            defaultValue={person.name}
            autoComplete="name"
            required
            maxLength={100}
          />
        </Field>
        <Field label={t('signIn.email')}>
          <input className="input" value={person.email} readOnly />
        </Field>
        <Field label={t('menu.phone')}>
          <input
            className="input"
            type="tel"
            name="phone"
            defaultValue={person.phone ?? ''}
            autoComplete="tel"
            maxLength={32}
          />
        </Field>
        {person.agent === null ? null : (
          <label className="pill">
            <input type="checkbox" name="emailPublic" defaultChecked={person.agent.emailPublic} />
            {t('menu.emailPublic')}
          </label>
        )}
      </WorkForm>
    </Section>
  );
}

/** Which mails a person gets. Each switch is kept at once. */
function Mails({ person }: { readonly person: Me }) {
  const site = useSite();
  const { t } = useText();
  const { problem, isBusy, run } = useWork();
  // A newer server may know kinds that this page does not; they stay as they are.
  const [mutedMails, show] = useState(person.mutedMails as readonly MailKind[]);
  const toggle = (kind: MailKind, isOn: boolean): void => {
    const others = mutedMails.filter((one) => one !== kind);
    const next = isOn ? others : [...others, kind];
    // Shown at once, undone when the call fails.
    show(next);
    void run(async () => {
      try {
        const changed = await site.api.users.updateProfile({ mutedMails: next });
        site.queries.setQueryData(me(site).queryKey, changed);
      } catch (error) {
        show(mutedMails);
        throw error;
      }
    });
  };
  return (
    <Section title={t('menu.mails')}>
      <p className="muted">{t('menu.mailsText')}</p>
      <div className="stack">
        {MAIL_KINDS.map((kind) => (
          <label key={kind} className="pill">
            <input
              type="checkbox"
              checked={!mutedMails.includes(kind)}
              disabled={isBusy}
              onChange={({ currentTarget }) => toggle(kind, currentTarget.checked)}
            />
            {t(`menu.mail.${kind}`)}
          </label>
        ))}
      </div>
      {problem === null ? null : (
        <p className="field-problem" role="alert">
          {t(problem)}
        </p>
      )}
    </Section>
  );
}

const LANGUAGES = [
  ['en', 'menu.english'],
  ['es', 'menu.spanish'],
] as const;
const THEME_NAMES = { system: 'menu.themeSystem', light: 'menu.themeLight', dark: 'menu.themeDark' } as const;
const nothing = () => () => {};

function Settings() {
  const site = useSite();
  const { t, locale } = useText();
  const router = useRouter();
  const person = usePerson();
  const kept = useSyncExternalStore(nothing, currentTheme, () => 'system' as const);
  const [theme, setTheme] = useState<(typeof THEMES)[number] | null>(null);
  const speak = async (next: 'en' | 'es'): Promise<void> => {
    await site.language.switchTo(next);
    await router.navigate({ to: '/menu', replace: true });
    await router.invalidate();
    if (person != null)
      site.queries.setQueryData(me(site).queryKey, await site.api.users.updateProfile({ locale: next }));
  };
  return (
    <Section title={t('menu.settings')}>
      <fieldset className="slot-picker">
        <legend className="field-label">{t('menu.language')}</legend>
        {LANGUAGES.map(([value, key]) => (
          <label key={value} className="pill" lang={value}>
            <input
              type="radio"
              name="language"
              checked={locale === value}
              onChange={() => void speak(value)}
            />
            {t(key)}
          </label>
        ))}
      </fieldset>
      <fieldset className="slot-picker">
        <legend className="field-label">{t('menu.theme')}</legend>
        {THEMES.map((value) => (
          <label key={value} className="pill">
            <input
              type="radio"
              name="theme"
              checked={(theme ?? kept) === value}
              onChange={() => {
                chooseTheme(value);
                setTheme(value);
              }}
            />
            {t(THEME_NAMES[value])}
          </label>
        ))}
      </fieldset>
    </Section>
  );
}

function BecomeAgent() {
  const site = useSite();
  const { t } = useText();
  const become = async (form: FormData): Promise<void> => {
    const changed = await site.api.users.becomeAgent({
      licenseNumber: textOf(form, 'licenseNumber'),
      officeName: textOf(form, 'officeName'),
    });
    site.queries.setQueryData(me(site).queryKey, changed);
    site.notices.say('menu.saved');
  };
  return (
    <details>
      <summary className="menu-summary">{t('menu.becomeAgent')}</summary>
      <WorkForm submit={t('menu.becomeAgent')} work={become}>
        <Field label={t('menu.licenseNumber')}>
          <input className="input" name="licenseNumber" required maxLength={64} />
        </Field>
        <Field label={t('menu.officeName')}>
          <input className="input" name="officeName" autoComplete="organization" required maxLength={120} />
        </Field>
      </WorkForm>
    </details>
  );
}

function Sessions() {
  const { api, queries, notices } = useSite();
  const { t, dateTime } = useText();
  const { data } = useQuery({ ...sessions(api), staleTime: 0 });
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const end = async (sessionId: string): Promise<void> => {
    try {
      await api.users.revokeSession({ sessionId });
    } catch {
      notices.say('errors.internal');
    }
    await queries.invalidateQueries({ queryKey: sessions(api).queryKey });
  };
  return (
    <Section title={t('menu.sessions')}>
      {data === undefined ? (
        <Skeleton height="6rem" />
      ) : (
        <ul>
          {data.sessions.map(({ sessionId, client, system, lastUsedAt, current }) => (
            <li key={sessionId}>
              <ListRow
                title={[client, system].filter((part) => part !== null).join(', ') || t('menu.unknownDevice')}
                detail={
                  current ? t('menu.thisDevice') : t('menu.lastUsed', { when: dateTime(lastUsedAt, zone) })
                }
              >
                {current ? null : <Button onPress={() => void end(sessionId)}>{t('menu.endSession')}</Button>}
              </ListRow>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Both need a code that is mailed to the person, because a session alone may be somebody else's. */
function AccountData() {
  const { api, queries } = useSite();
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
    const url = URL.createObjectURL(new Blob([JSON.stringify(parts, null, 2)], { type: 'application/json' }));
    Object.assign(document.createElement('a'), { href: url, download: 'proscenium.json' }).click();
    URL.revokeObjectURL(url);
  };
  const deleted = async (code: string): Promise<void> => {
    await api.users.confirmDeletion({ code });
    forgetPerson(queries);
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
        text={t('menu.deleteText')}
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
        <WorkForm
          submit={title}
          kind={kind}
          work={(form) => confirm(textOf(form, 'code').replaceAll(/\D/g, ''))}
        >
          <Field label={t('signIn.code')}>
            <input
              className="input"
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              maxLength={12}
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

function SignOut() {
  const { account, queries, notices } = useSite();
  const { t } = useText();
  const leave = async (): Promise<void> => {
    try {
      await account?.signOut();
    } catch {
      // The session ends by its age; here it is over in any case.
      notices.say('menu.signedOutHere');
    }
    forgetPerson(queries);
  };
  return (
    <div>
      <Button onPress={() => void leave()}>{t('menu.signOut')}</Button>
    </div>
  );
}
