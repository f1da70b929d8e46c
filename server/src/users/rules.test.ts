// What names, handles, addresses, PINs and passwords may be, one row a case.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  countryOf,
  countryProblem,
  defaultCurrency,
  emailProblem,
  handleBase,
  handleProblem,
  nameProblem,
  networkOf,
  passwordProblem,
  phoneProblem,
  pinProblem,
} from './rules.ts'

const brand = 'Mfuko'

/** Each word of `good` has no problem, each of `bad` has one. */
function judge(
  problem: (text: string) => string | undefined,
  { good, bad }: { good: string[]; bad: string[] },
) {
  for (const text of good) assert.equal(problem(text), undefined, `${JSON.stringify(text)} is fine`)
  for (const text of bad) assert.notEqual(problem(text), undefined, `${JSON.stringify(text)} is refused`)
}

describe('forms', () => {
  test('names: any script, no control characters', () =>
    judge(nameProblem, {
      good: [
        'Amina',
        'Ọláńrewájú Adébáyọ̀',
        'አበበ ቢቂላ',
        'محمد',
        "N'Golo",
        'Q',
        '李 明',
        'x'.repeat(80),
        '  Amina  ',
      ],
      bad: [
        '',
        '   ',
        '\t',
        'a\nb',
        'a\u0000b',
        'a\u202eb',
        'a\u2028b',
        '🙂',
        '...',
        'x'.repeat(81),
        '\u200b',
      ],
    }))

  test('handles: 3 to 20, a letter first, some are reserved', () =>
    judge((text) => handleProblem(text, { brand }), {
      good: ['amina', '@amina', 'AMINA', 'a_1', 'a'.repeat(20), 'amina_nakato_2'],
      bad: [
        '',
        'ab',
        '1abc',
        '_abc',
        'a'.repeat(21),
        'am ina',
        'amína',
        'a-b-c',
        '@@amina',
        'admin',
        'mfuko',
        'm_fuko',
        'Support',
      ],
    }))

  test('e-mail addresses', () =>
    judge(emailProblem, {
      good: [
        'a@b.co',
        'Amina.Nakato+money@mail.example.com',
        "o'neil@example.org",
        'x@xn--e1afmkfd.xn--p1ai',
      ],
      bad: [
        '',
        'amina',
        '@b.co',
        'a@b',
        'a@b.c',
        'a b@c.co',
        'a@b..co',
        '.a@b.co',
        'a.@b.co',
        'a@-b.co',
        'a@b.co\r\nBcc: x@y.co',
        'a@b.co, c@d.co',
        '"a"@b.co',
        'a@[127.0.0.1]',
        `${'a'.repeat(65)}@b.co`,
        `a@${'b'.repeat(250)}.co`,
      ],
    }))

  test('phones: E.164', () =>
    judge(phoneProblem, {
      good: ['+256700123456', '+27821234567', '+2348012345678'],
      bad: [
        '',
        '0700123456',
        '256700123456',
        '+0700123456',
        '+256 700 123456',
        '+12345',
        `+${'1'.repeat(16)}`,
        '+２５６７００１２３',
      ],
    }))

  test('countries', () =>
    judge(countryProblem, { good: ['UG', 'KE', 'FR'], bad: ['', 'ug', 'UGA', 'ZZ', 'XX', 'EU'] }))

  test('the currency comes from the country, the country from the phone', () => {
    const rows = {
      UG: 'UGX',
      KE: 'KES',
      TZ: 'TZS',
      RW: 'RWF',
      NG: 'NGN',
      ZA: 'ZAR',
      FR: 'USD',
      ZZ: 'USD',
      constructor: 'USD',
    }
    for (const [country, currency] of Object.entries(rows)) assert.equal(defaultCurrency(country), currency)
    assert.equal(countryOf({ phone: '+256700123456' }), 'UG')
    assert.equal(countryOf({ country: 'KE', phone: '+256700123456' }), 'KE')
    assert.equal(countryOf({ phone: '+33612345678' }), 'ZZ')
  })

  test('a handle from a name', () => {
    const rows: Record<string, string> = {
      'Amina Nakato': 'amina_nakato',
      Ọláńrewájú: 'olanrewaju',
      '  3 Kings ': 'kings',
      'አበበ ቢቂላ': 'user',
      Bo: 'user',
      Mfuko: 'user',
      'Maximilian Alexander Okello': 'maximilian_ale',
    }
    for (const [name, handle] of Object.entries(rows)) assert.equal(handleBase(name, { brand }), handle, name)
  })

  test('one home is one address', () => {
    const rows: Record<string, string> = {
      '102.85.14.7': '102.85.14.7',
      '::ffff:102.85.14.7': '102.85.14.7',
      '2001:db8:1:2:3:4:5:6': '2001:db8:1:2::/64',
      '2001:db8:1:2::9': '2001:db8:1:2::/64',
      '2001:0db8:0001:0002::1': '2001:db8:1:2::/64',
      '::1': '0:0:0:0::/64',
      'fe80::1%eth0': 'fe80:0:0:0::/64',
      '': '',
    }
    for (const [address, network] of Object.entries(rows)) assert.equal(networkOf(address), network, address)
  })
})

describe('secrets', () => {
  test('PINs: what is tried first is refused', () =>
    judge((text) => pinProblem(text, { phone: '+256700193847' }), {
      good: ['4821', '7305', '90614', '482913', '2846'],
      bad: [
        ...['', '123', '1234567', '12a4', ' 1234', '１２３４', '٤٨٢١', '4821\n'],
        ...['1234', '4321', '0123', '7890', '2468', '9876', '123456', '654321', '1357'],
        ...['1111', '000000', '1212', '4848', '123123', '112233', '1122', '111222'],
        ...['1221', '12321', '123321', '4884'],
        ...['1987', '2026', '1900'],
        ...['2580', '0852', '159753'],
        ...['1938', '3847', '001938'],
      ],
    }))

  const own = {
    handle: 'nakato77',
    email: 'amina.nakato@example.com',
    phone: '+256700123456',
    name: 'Amina Nakato',
    brand,
  }

  test('passwords: what is tried first is refused, and so are own words', () =>
    judge((text) => passwordProblem(text, own), {
      good: [
        'kahawa tatu za asubuhi',
        'correct-horse-4',
        'xK9#mQ2$vL',
        'mfuko-sandbox',
        'ሰላም ለሁሉም ሰው ነው',
        '🐘🦒🦓 tembo mkubwa',
        `pa\u0301ssw ${'o'.repeat(3)}rd7 wild`,
        ' leading and trailing ',
        'x9x9x9!kRw',
      ],
      bad: [
        ...['', 'short', 'ninechars', 'x'.repeat(129), 'aaaaaaaaaa', 'abababababab'],
        ...[
          'password123',
          'Password1!',
          'P@ssw0rd123',
          'qwertyuiop',
          '1234567890',
          'qwerty123456',
          '1qaz2wsx3edc',
        ],
        ...['iloveyou2024', 'manchester', 'passwordpassword', 'asdfghjkl123', 'letmein12345', '0987654321'],
        ...[
          'nakato77nakato77',
          'Amina Nakato',
          'aminanakato',
          'nakato77123',
          '+256700123456',
          '256700123456',
        ],
        ...['amina.nakato@example.com', 'mfuko12345', 'mfukomfuko', 'MFUKO2026!'],
        ...['hakunamatata', 'munguniwema1', 'kampala2026', 'safaricom123'],
        ...['romanroman', '123qwe123qwe', 'mousemouse', 'polopolo09'],
      ],
    }))

  test('passwords: what leaked most often is refused, whatever its capitals and the year behind it', () =>
    judge((text) => passwordProblem(text, own), {
      good: ['romanromanesque-9', 'charliekuwinda82', 'hollywood kwa miguu', 'nastyawamba77z'],
      bad: [
        ...['hollywood1', 'Stephanie1', 'alejandro1', 'sebastian1', 'runescape1', 'PAINTBALL1', 'rammstein1'],
        ...[
          'nastya1996',
          'nikita2000',
          'sasha12345',
          'vitalik123',
          'alabama2026',
          'amsterdam1',
          'charlie123',
        ],
        ...['starcraft2', 'left4dead2', 'need4speed', 'warhammer40k', 'jamesbond007', 'porsche911'],
        ...[
          '1qazxsw23edcvfr4',
          '1qa2ws3ed4rf',
          'z1x2c3v4b5n6m7',
          'qaz123wsx456',
          '192837465q',
          '12qw34er56ty',
        ],
        ...['fyfcnfcbz1', 'fktrcfylh1', 'ghhh47hj7649', 'admin18533362', '3rjs1la7qe', 'zqjphsyf6ctifgu'],
      ],
    }))

  test('an address longer than what is looked at in pieces is no password of its own either', () => {
    const email = `${'savings.circle.'.repeat(3)}x9@umoja-kampala.example`
    assert.match(passwordProblem(email.toUpperCase(), { brand, email }) ?? '', /too easy to guess/)
    assert.equal(passwordProblem(email, { brand, email: 'amina@example.com' }), undefined)
  })

  test('judging the longest password takes no time to speak of', () => {
    const begun = performance.now()
    for (let n = 0; n < 20; n++) passwordProblem('a1b2'.repeat(32), own)
    assert.ok((performance.now() - begun) / 20 < 100)
  })
})
