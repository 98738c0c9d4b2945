import { leavePage } from '../lib/leave-page'
import { showToast } from './ui/toast-store'

/** Tells that a part of the page did not arrive. */
export function showPartProblem(description: string): void {
  showToast({ title: 'Error', description, variant: 'destructive' })
}

/**
 * Opens what a part would have shown as a page of its own: a browser does not request a chunk again
 * that failed, and a newer release has other chunks. If the server can't be reached, the visitor
 * stays and reads `problem`.
 */
export function openAsPage(href: string, problem: string): void {
  fetch(href, { method: 'HEAD' }).then(
    () => {
      leavePage(href)
    },
    () => {
      showPartProblem(problem)
    },
  )
}
