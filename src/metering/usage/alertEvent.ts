import type { AlertReason } from '../../contract/families/alerts.ts';

/** Rows of an alert that were not started, without their content. `time` comes first, where props.conf looks for it. */
export interface AlertEvent {
  /** Epoch seconds. */
  time: number;
  /** The alert action. */
  action: string;
  reason: AlertReason;
  message: string;
  search_name: string;
  sid: string;
  result_id?: string;
  /** Id of the row among the results, where the event is of one row. */
  rid?: string;
  app: string;
  user: string;
  /** Rows, where the event is of several. */
  count?: number;
}
