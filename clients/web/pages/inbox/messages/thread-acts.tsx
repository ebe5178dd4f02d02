import { lazy, Suspense, useState } from 'react';
import { problemKey } from '../../../api/failures.ts';
import { Button } from '../../../primitives/button.tsx';
import { useSite, useText } from '../../../site/use-site.ts';
import type { MessageThread } from './message-queries.ts';

const ReportSheet = lazy(() => import('./report-sheet.tsx'));

/** What a person may do against the other side: report it to the operators, and block it. */
export function ThreadActs({
  thread: { threadId, isBlocked },
  onChanged,
}: {
  readonly thread: MessageThread;
  readonly onChanged: () => Promise<unknown>;
}) {
  const { api, notices } = useSite();
  const { t } = useText();
  const [isReporting, setReporting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const block = async (): Promise<void> => {
    setBusy(true);
    try {
      await api.messages.block({ threadId, isBlocked: !isBlocked });
      await onChanged();
    } catch (error) {
      notices.say(problemKey(error));
    }
    setBusy(false);
  };
  return (
    <div className="row">
      <Button kind="quiet" onPress={() => setReporting(true)}>
        {t('inbox.report')}
      </Button>
      <Button kind="quiet" isDisabled={isBusy} onPress={() => void block()}>
        {t(isBlocked ? 'inbox.unblock' : 'inbox.block')}
      </Button>
      {isReporting ? (
        <Suspense>
          <ReportSheet threadId={threadId} onClose={() => setReporting(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}
