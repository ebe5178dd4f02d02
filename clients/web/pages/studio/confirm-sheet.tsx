import { Button } from '../../primitives/button.tsx';
import { Sheet } from '../../primitives/sheet.tsx';

interface ConfirmSheetProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
}

/** Asks before something that cannot be taken back. */
export default function ConfirmSheet({ title, text, action, onClose, onConfirm }: ConfirmSheetProps) {
  return (
    <Sheet title={title} onClose={onClose}>
      <p>{text}</p>
      <Button kind="danger" onPress={onConfirm}>
        {action}
      </Button>
    </Sheet>
  );
}
