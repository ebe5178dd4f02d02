import type { ReactNode } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { useText } from '../site/use-site.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './sheet.css';

interface SheetProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** Fills the window, for pictures. */
  readonly isFull?: boolean;
}

/** A part of the page over everything else: it keeps the focus, and Escape closes it. Import it lazily. */
export function Sheet({ title, onClose, children, isFull = false }: SheetProps) {
  const { t } = useText();
  return (
    <ModalOverlay
      className="sheet-overlay"
      isOpen
      isDismissable
      onOpenChange={(isOpen) => (isOpen ? null : onClose())}
    >
      <Modal className={isFull ? 'sheet sheet-full' : 'sheet'}>
        <Dialog className="sheet-dialog">
          <div className="sheet-head">
            <Heading slot="title" className="sheet-title">
              {title}
            </Heading>
            <Button kind="icon" aria-label={t('common.close')} onPress={onClose}>
              <Icon name="close" />
            </Button>
          </div>
          <div className="sheet-body">{children}</div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
