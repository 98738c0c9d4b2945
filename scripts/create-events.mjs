// Creates 200 events through the API of a running lectern.
//
//   node scripts/create-events.mjs http://127.0.0.1:8080 you@example.com < password.txt
//
// The password is the first line on stdin. Prints the number of created events and the duration.

import { createInterface } from 'node:readline'

const [base, email] = process.argv.slice(2)
if (!base || !email) {
  console.error('usage: node scripts/create-events.mjs URL EMAIL < password')
  process.exit(2)
}

const password = await new Promise((resolve) => {
  createInterface({ input: process.stdin }).once('line', resolve)
})

let cookie = ''

async function send(method, path, body) {
  const response = await fetch(base + path, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const result = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${result.error}`)
  const session = response.headers.getSetCookie().map((line) => line.split(';')[0])
  if (session.length > 0) cookie = session.join('; ')
  return result
}

const first = ['Nadia', 'Tobias', 'Renata', 'Emeka', 'Sunniva', 'Harlan', 'Mei', 'Cosmo']
const last = ['Ferreira', 'Lindgren', 'Abara', 'Castellan', 'Oyelaran', 'Whitcombe', 'Sorensen', 'Bhatt']
const types = [
  'Investor Insights',
  'Pillars of Wealthbuilding',
  'Physician on FIRE',
  'In-Person Events',
  'IRA-Related Webinars',
  'Special',
]
const zones = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Pacific/Honolulu',
  'America/Anchorage',
]
const subjects = [
  'the rent roll',
  'a refinancing calendar',
  'the operating agreement',
  'depreciation schedules',
  'a capital call',
  'insurance renewals',
]
const manners = ['Reading', 'Questions about', 'A second look at', 'What changed in', 'The arithmetic of']

const started = performance.now()
await send('POST', '/api/auth/login', { email, password })

const speakerIds = []
for (const [index, name] of first.entries()) {
  const { id } = await send('POST', '/api/speakers', {
    name: `${name} ${last[index]}`,
    title: index % 2 ? 'Asset manager' : 'Underwriter',
    bio: 'Has read more offering memoranda than is good for anybody.',
    type: index % 3 ? 'Guest' : 'EM Team',
  })
  speakerIds.push(id)
}

const events = 200
for (let number = 0; number < events; number += 1) {
  const day = new Date(Date.now() + (number - 60) * 1.5 * 86_400_000).toISOString().slice(0, 10)
  const type = types[number % types.length]
  const isInPerson = type === 'In-Person Events'
  await send('POST', '/api/events', {
    event: {
      title: `${manners[number % manners.length]} ${subjects[number % subjects.length]}, part ${number + 1}`,
      date: day,
      time: ['08:30', '12:00', '17:30', '19:00', '20:00'][number % 5],
      duration: `${15 * (1 + (number % 12))} minutes`,
      type,
      summary: 'One document, read aloud with its numbers checked.',
      description: 'Bring your own copy.\n\nQuestions are taken after each section.',
      registrationUrl: `https://example.com/register/${number + 1}`,
      timezone: zones[number % zones.length],
    },
    location: isInPerson
      ? { venueName: 'Corner Hall', venueAddress: '40 Mill Lane', city: 'Tulsa', state: 'OK' }
      : undefined,
    speakerIds: Array.from({ length: 1 + (number % 4) }, (_, at) => speakerIds[(number + at) % speakerIds.length]),
  })
}
console.log(`${events} events and ${first.length} speakers in ${((performance.now() - started) / 1000).toFixed(1)} s`)
