import { useId } from 'react'
import { limits } from '../../../api/generated/validation'
import type { RepeatDates } from '../../../api/types'
import { Alert } from '../../../components/ui/alert'
import { Button } from '../../../components/ui/button'
import { SelectField, TextField } from '../../../components/ui/field'
import { FormGroup } from '../../../components/ui/form-panel'
import { timeLabel } from '../event-time'
import { shortDateLabel } from './event-card'
import styles from './repeat-fields.module.css'
import { weekdayOf } from './repeat-rules'
import type { EventForm } from './use-event-form'
import type { Repeat } from './use-repeat'

interface RepeatFieldsProps {
  form: EventForm
  repeat: Repeat
}

/** How a new event repeats, with its dates before they are made. */
export function RepeatFields({ form, repeat }: RepeatFieldsProps) {
  const { values, found, error } = repeat
  const { date, timezone } = form.values
  const headingId = useId()
  return (
    <FormGroup
      title="Repeat"
      help="Creates one event for each date, at the same time by the clock of its zone."
    >
      <SelectField
        label="How often"
        name="repeat.every"
        value={values.every}
        options={repeat.rules}
        error={repeat.ruleError}
        onChange={({ target }) => {
          repeat.change({ every: target.value })
        }}
      />
      {repeat.isOn && (
        <>
          <SelectField
            label="Ends"
            width="half"
            value={values.end}
            options={[
              { value: 'count', label: 'After a number of dates' },
              { value: 'until', label: 'On a date' },
            ]}
            onChange={({ target }) => {
              repeat.change({ end: target.value === 'until' ? 'until' : 'count' })
            }}
          />
          {values.end === 'count' ? (
            <TextField
              label="Number of dates"
              type="number"
              inputMode="numeric"
              min={1}
              max={limits.repeated}
              width="half"
              value={values.count}
              error={repeat.endError}
              onChange={({ target }) => {
                repeat.change({ count: target.value })
              }}
              onBlur={repeat.checkCount}
            />
          ) : (
            <TextField
              label="Last date"
              type="date"
              width="half"
              min={date}
              value={values.until}
              error={repeat.endError}
              onChange={({ target }) => {
                repeat.change({ until: target.value })
              }}
            />
          )}
          <div className={styles.dates} aria-busy={repeat.isLoading}>
            {error && <Alert title={error} />}
            <p className={styles.count} id={headingId} role="status">
              {found && summaryOf(found, repeat.dates.length)}
            </p>
            {found && (
              <ul className={styles.list} aria-labelledby={headingId}>
                {found.dates.map((one) => {
                  const isRemoved = repeat.removed.has(one.date)
                  const label = shortDateLabel(one.date)
                  return (
                    <li key={one.date} className={styles.date}>
                      <span className={isRemoved ? styles.removed : undefined}>
                        {weekdayOf(one.date)}, {label},{' '}
                        {timeLabel(Date.parse(one.startsAt), timezone)}
                        {one.isShifted && ' (the clocks skip the time that you chose)'}
                        {isRemoved && <span className="visually-hidden"> (removed)</span>}
                      </span>
                      <Button
                        variant="ghost"
                        size="small"
                        aria-label={`${isRemoved ? 'Keep' : 'Remove'} ${label}`}
                        onClick={() => {
                          repeat.setRemoved(one.date, !isRemoved)
                        }}
                      >
                        {isRemoved ? 'Keep' : 'Remove'}
                      </Button>
                    </li>
                  )
                })}
              </ul>
            )}
          </div>
        </>
      )}
    </FormGroup>
  )
}

function summaryOf({ skipped, isLimited }: RepeatDates, count: number): string {
  return [
    count === 1 ? '1 date' : `${count} dates`,
    ...skipped.map((reason) => `${reason}: skipped`),
    isLimited && `There are at most ${limits.repeated} dates`,
  ]
    .filter(Boolean)
    .join('. ')
}
