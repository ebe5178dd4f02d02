import { isOfOther } from '../../api/failures.ts';
import { Button, ButtonLink } from '../../primitives/button.tsx';
import { Skeleton } from '../../primitives/parts.tsx';
import { SignInPrompt } from '../../primitives/sign-in-prompt.tsx';
import { forgetPerson, usePerson } from '../../session/person.ts';
import { useSite, useText } from '../../site/use-site.ts';
import { AccountData } from './account.tsx';
import { BecomeAgent } from './become-agent.tsx';
import { HiddenHomesSection } from './hidden-homes-section.tsx';
import { Mails } from './mails.tsx';
import { Profile } from './profile.tsx';
import { PushNotices } from './push-notices.tsx';
import { Sessions } from './sessions.tsx';
import { Settings } from './settings.tsx';
import './menu.css';

/** The studio for agents, then language and theme for everyone, then what belongs to the person's account. */
export function Component() {
  const { settings } = useSite();
  const { t } = useText();
  const person = usePerson();
  return (
    <div className="page page-narrow">
      <h1>{t('tabs.menu')}</h1>
      {person?.role === 'agent' ? (
        <ButtonLink kind="primary" to="/studio">
          {t('menu.studio')}
        </ButtonLink>
      ) : null}
      <ButtonLink to="/searches">{t('menu.searches')}</ButtonLink>
      <Settings />
      <HiddenHomesSection />
      {person === undefined ? (
        <Skeleton height="12rem" />
      ) : person === null ? (
        <SignInPrompt title={t('menu.promptTitle')} text={t('menu.promptText')} path="/menu" />
      ) : (
        <>
          <Profile person={person} />
          <Mails person={person} />
          <PushNotices />
          <Sessions />
          {person.role === 'agent' || settings.agentsNeedInvitation ? null : <BecomeAgent />}
          <AccountData isAgent={person.role === 'agent'} />
          <SignOut />
        </>
      )}
    </div>
  );
}

function SignOut() {
  const site = useSite();
  const { t } = useText();
  const leave = async (): Promise<void> => {
    try {
      await site.account?.signOut();
    } catch (error) {
      // The session of another person goes on.
      if (isOfOther(error)) return;
      // The session ends by its age; here it is over in any case.
      site.notices.say('menu.signedOutHere');
    }
    forgetPerson(site);
  };
  return (
    <div>
      <Button onPress={() => void leave()}>{t('menu.signOut')}</Button>
    </div>
  );
}
