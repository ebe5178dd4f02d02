import { Pill } from '../../primitives/choices.tsx';
import { Field, Section } from '../../primitives/parts.tsx';
import { textOf, WorkForm } from '../../primitives/work-form.tsx';
import { type Me, me } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { AvatarForm } from './avatar-form.tsx';

/** Picture, name and phone; of an agent also whether the address is shown. */
export function Profile({ person }: { readonly person: Me }) {
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
          <div>
            <Pill type="checkbox" name="emailPublic" defaultChecked={person.agent.emailPublic}>
              {t('menu.emailPublic')}
            </Pill>
          </div>
        )}
      </WorkForm>
    </Section>
  );
}
