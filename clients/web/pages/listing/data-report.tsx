import { Field } from '../../primitives/parts.tsx';
import { Sheet } from '../../primitives/sheet.tsx';
import { textOf, WorkForm } from '../../primitives/work-form.tsx';
import { useSite, useText } from '../../site/use-site.ts';

/** As the API takes them, in the order of the form. */
const LABELS = {
  PRICE: 'attribution.subject.PRICE',
  STATUS: 'attribution.subject.STATUS',
  PICTURES: 'attribution.subject.PICTURES',
  FACTS: 'attribution.subject.FACTS',
  OTHER: 'attribution.subject.OTHER',
} as const;
type Subject = keyof typeof LABELS;
/** Characters that the API takes. */
const LONGEST_NOTE = 1000;

const isSubject = (text: string): text is Subject => text in LABELS;

/** Says to the operator what is wrong about a listing. */
export default function DataReport({
  propertyId,
  onClose,
}: {
  readonly propertyId: string;
  readonly onClose: () => void;
}) {
  const { api, notices } = useSite();
  const { t } = useText();
  const send = async (form: FormData): Promise<void> => {
    const subject = textOf(form, 'subject');
    const { isKept } = await api.properties.reportData({
      propertyId,
      subject: isSubject(subject) ? subject : 'OTHER',
      note: textOf(form, 'note'),
    });
    notices.say(isKept ? 'attribution.sent' : 'attribution.full');
    onClose();
  };
  return (
    <Sheet title={t('attribution.report')} onClose={onClose}>
      <WorkForm kind="primary" submit={t('attribution.send')} work={send}>
        <Field label={t('attribution.subject')}>
          <select className="input" name="subject">
            {Object.entries(LABELS).map(([subject, label]) => (
              <option key={subject} value={subject}>
                {t(label)}
              </option>
            ))}
          </select>
        </Field>
        <Field label={t('attribution.note')}>
          <textarea className="input" name="note" required maxLength={LONGEST_NOTE} />
        </Field>
      </WorkForm>
    </Sheet>
  );
}
