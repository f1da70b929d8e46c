import type { Words } from './words.ts'

const notYou = 'Kama si wewe, badilisha nenosiri na PIN yako sasa, kisha funga vipindi vingine vyote.'

export const kiswahili: Words = {
  greeting: (name) => (name === '' ? 'Habari,' : `Habari ${name},`),
  colon: ': ',
  footer: (brand) => `Umepata barua pepe hii kwa sababu anwani hii ni ya akaunti ya ${brand}.`,
  letters: {
    confirm_email: ({ code }, brand) => ({
      subject: `Thibitisha anwani yako ya barua pepe ya ${brand}`,
      opening: ['Weka msimbo huu ili kuthibitisha anwani yako ya barua pepe:'],
      code,
      closing: [
        `Usimpe mtu yeyote msimbo huu. ${brand} haitakuomba kamwe.`,
        'Kama hukuuomba, huhitaji kufanya chochote.',
      ],
    }),
    reset_password: ({ code }, brand) => ({
      subject: `Weka nenosiri jipya la ${brand}`,
      opening: ['Weka msimbo huu ili kuchagua nenosiri jipya:'],
      code,
      closing: [
        `Usimpe mtu yeyote msimbo huu. ${brand} haitakuomba kamwe.`,
        'Kama hukuuomba, huhitaji kufanya chochote: nenosiri lako linabaki lilivyo.',
      ],
    }),
    new_device: ({ device, address, time }, brand) => ({
      subject: `Kifaa kipya kwenye akaunti yako ya ${brand}`,
      opening: ['Kuna mtu ameingia kwenye akaunti yako kwa kifaa ambacho hatujakiona hapo awali.'],
      facts: [
        ['Kifaa', device],
        ['Anwani ya mtandao', address],
        ['Wakati', time],
      ],
      closing: ['Kama ni wewe, huhitaji kufanya chochote.', notYou],
    }),
    pin_changed: ({ time, ended }, brand) => ({
      subject: `PIN yako ya ${brand} imebadilishwa`,
      opening: [
        ended
          ? 'PIN ya akaunti yako imebadilishwa, na vipindi vingine vyote vimefungwa.'
          : 'PIN ya akaunti yako imebadilishwa.',
      ],
      facts: [['Wakati', time]],
      closing: ['Kama ni wewe, huhitaji kufanya chochote.', notYou],
    }),
    pin_locked: ({ time, disabled }, brand) => ({
      subject: `PIN yako ya ${brand} ${disabled ? 'imezimwa' : 'imefungwa'}`,
      opening: [
        `PIN isiyo sahihi imewekwa mara nyingi mno. Hakuna pesa iliyotoka kwenye pochi yako kwa sababu hiyo, na PIN yako ${disabled ? 'imezimwa kabisa' : 'imefungwa'}.`,
      ],
      facts: [['Wakati', time]],
      closing: [
        disabled
          ? 'Kama ni wewe, weka PIN mpya kwa kutumia nenosiri lako. Kusubiri hakuifungui tena ile ya zamani.'
          : 'Kama ni wewe, subiri nusu saa kisha ujaribu tena, au weka PIN mpya kwa kutumia nenosiri lako.',
        notYou,
      ],
    }),
    password_changed: ({ time }, brand) => ({
      subject: `Nenosiri lako la ${brand} limebadilishwa`,
      opening: ['Nenosiri la akaunti yako limebadilishwa, na vipindi vingine vyote vimefungwa.'],
      facts: [['Wakati', time]],
      closing: [
        'Kama ni wewe, huhitaji kufanya chochote.',
        'Kama si wewe, omba nenosiri jipya sasa kwenye ukurasa wa kuingia.',
      ],
    }),
    email_changed: ({ time }, brand) => ({
      subject: `Anwani ya barua pepe ya akaunti yako ya ${brand} imebadilishwa`,
      opening: [
        'Anwani nyingine ya barua pepe imewekwa kwenye akaunti yako. Barua zake hazitakuja tena kwenye anwani hii.',
      ],
      facts: [['Wakati', time]],
      closing: ['Kama ni wewe, huhitaji kufanya chochote.', notYou],
    }),
    login_locked: ({ time }, brand) => ({
      subject: `Kuingia kwenye akaunti yako ya ${brand} kumefungwa`,
      opening: [
        'Nenosiri lisilo sahihi limeingizwa mara nyingi sana. Pesa zako ziko salama: hakuna aliyeingia, na nenosiri hilo halifungui tena.',
      ],
      facts: [['Wakati', time]],
      closing: ['Ili uingie tena, omba msimbo kwenye ukurasa wa kuingia na uweke nenosiri jipya.'],
    }),
    session_revoked: ({ time }, brand) => ({
      subject: `Kipindi cha akaunti yako ya ${brand} kimefungwa`,
      opening: ['Tumefunga kipindi kimoja cha akaunti yako ili kuilinda.'],
      facts: [['Wakati', time]],
      closing: [
        'Ingia tena ili kuendelea.',
        'Kama hukukifunga wewe mwenyewe, badilisha nenosiri lako sasa: huenda mtu mwingine alikitumia.',
      ],
    }),
    session_ended: ({ device, time }, brand) => ({
      subject: `Kifaa kimeondolewa kwenye akaunti yako ya ${brand}`,
      opening: [
        'Kipindi cha kifaa hiki kimefungwa kutoka kwenye kifaa kingine kilichoingia kwenye akaunti yako.',
      ],
      facts: [
        ['Kifaa', device],
        ['Wakati', time],
      ],
      closing: ['Kama ni wewe, huhitaji kufanya chochote.', notYou],
    }),
    account_frozen: (_data, brand) => ({
      subject: `Akaunti yako ya ${brand} imesimamishwa`,
      opening: [
        'Pesa zako ziko salama kwenye pochi zako. Akaunti yako imesimamishwa: huwezi kutuma wala kutoa pesa.',
      ],
      closing: [`Wasiliana na ${brand} ili kujua sababu na la kufanya.`],
    }),
    account_unfrozen: (_data, brand) => ({
      subject: `Akaunti yako ya ${brand} imefunguliwa tena`,
      opening: ['Akaunti yako imefunguliwa tena. Unaweza kutuma na kutoa pesa kama kawaida.'],
      closing: ['Huhitaji kufanya chochote.'],
    }),
    money_in: ({ amountText, from, reference, balanceText, time }) => ({
      subject: `Umepokea ${amountText}`,
      opening: [`${amountText} zimeingia kwenye pochi yako.`],
      facts: [
        ['Kutoka kwa', from],
        ['Kumbukumbu', reference],
        ['Salio sasa', balanceText],
        ['Wakati', time],
      ],
      closing: ['Tunza namba ya kumbukumbu: inatambulisha malipo haya ukiwa na swali.'],
    }),
    money_out: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `Umetuma ${amountText}`,
      opening: [`${amountText} zimetoka kwenye pochi yako.`],
      facts: [
        ['Kwenda kwa', to],
        ['Ada iliyokatwa humo', feeText],
        ['Kumbukumbu', reference],
        ['Salio sasa', balanceText],
        ['Wakati', time],
      ],
      closing: ['Tunza namba ya kumbukumbu: inatambulisha malipo haya ukiwa na swali.', notYou],
    }),
    withdrawal_done: ({ amountText, to, feeText, reference, balanceText, time }) => ({
      subject: `Umetoa ${amountText}`,
      opening: [`${amountText} zimetoka kwenye pochi yako na kufika kwa mtoa huduma.`],
      facts: [
        ['Kwenda kwa', to],
        ['Ada, juu yake', feeText],
        ['Kumbukumbu', reference],
        ['Salio sasa', balanceText],
        ['Wakati', time],
      ],
      closing: ['Tunza namba ya kumbukumbu: inatambulisha malipo haya ukiwa na swali.', notYou],
    }),
    withdrawal_failed: ({ amountText, to, reference, time }) => ({
      subject: `Kutoa ${amountText} hakukufanikiwa`,
      opening: [`Pesa zako zote zimerudi kwenye pochi yako: ${amountText} na ada.`],
      facts: [
        ['Kwenda kwa', to],
        ['Kumbukumbu', reference],
        ['Wakati', time],
      ],
      closing: ['Hakiki namba ujaribu tena, au chagua mtoa huduma mwingine.'],
    }),
    money_request: ({ amountText, from, note }, brand) => ({
      subject: `${from} anakuomba ${amountText}`,
      opening: [`${from} anakuomba ${amountText}. Hakuna pesa iliyotoka kwenye pochi yako.`],
      ...(note ? { facts: [['Ujumbe wake', `“${note}”`]] } : {}),
      closing: [`Fungua ${brand} ili ulipe au ukatae. Lipa tu kama unamjua anayeomba, na unajua kwa nini.`],
    }),
    group_due_soon: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: ${amountText} inatakiwa baada ya siku mbili`,
      opening: [
        `Mchango wako kwa ${groupName} unakaribia kutakiwa. Hakuna pesa iliyotoka kwenye pochi yako.`,
      ],
      facts: [
        ['Kiasi', amountText],
        ['Mwisho', time],
      ],
      closing: [`Fungua ${brand} ulipe. Mwanachama mwingine pia anaweza kukulipia.`],
    }),
    group_due_today: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: ${amountText} inatakiwa leo`,
      opening: [`Mchango wako kwa ${groupName} unatakiwa leo. Hakuna pesa iliyotoka kwenye pochi yako.`],
      facts: [
        ['Kiasi', amountText],
        ['Mwisho', time],
      ],
      closing: [`Fungua ${brand} ulipe. Mwanachama mwingine pia anaweza kukulipia.`],
    }),
    group_late: ({ groupName, amountText, time }, brand) => ({
      subject: `${groupName}: mchango wako umechelewa`,
      opening: [
        `Mchango wako kwa ${groupName} haujafika, na wengine wanausubiri. Hakuna pesa iliyotoka kwenye pochi yako.`,
      ],
      facts: [
        ['Kiasi', amountText],
        ['Ulitakiwa', time],
      ],
      closing: [`Fungua ${brand} ulipe. Ikiwa huwezi kulipa sasa, zungumza na mwenyekiti wa kikundi.`],
    }),
    group_proposal: ({ groupName, from, to, amountText, reason }, brand) => ({
      subject: `${groupName}: ${from} anapendekeza malipo ya ${amountText}`,
      opening: [`Malipo kutoka ${groupName} yamependekezwa. Hakuna pesa iliyotoka kwenye kikundi.`],
      facts: [
        ['Amependekeza', from],
        ['Kwa', to],
        ['Kiasi', amountText],
        ['Sababu', `“${reason}”`],
      ],
      closing: [
        `Fungua ${brand} uidhinishe. Yatalipwa zaidi ya nusu ya wanachama wengine wakiidhinisha; kama hukubali, huna haja ya kufanya chochote.`,
      ],
    }),
    merchant_approved: ({ businessName }, brand) => ({
      subject: `${businessName} inaweza kupokea malipo kwa ${brand}`,
      opening: [`Tumekagua ${businessName}: imekubaliwa, na inaweza kupokea malipo kuanzia sasa.`],
      closing: [
        `Fungua sehemu ya Biashara ya ${brand} upate API key na Client Secret za malipo halisi. API key huonyeshwa mara moja tu: iweke mahali salama.`,
        'Vitambulisho vyako vya majaribio vinaendelea kufanya kazi.',
      ],
    }),
    merchant_rejected: ({ businessName, reason }, brand) => ({
      subject: `${businessName} haijakubaliwa`,
      opening: [`Tumekagua ${businessName}, na bado hatujaweza kuikubali.`],
      facts: [['Sababu', reason]],
      closing: [`Unaweza kurekebisha na kuomba tena katika sehemu ya Biashara ya ${brand}.`],
    }),
    merchant_suspended: ({ businessName, reason }, brand) => ({
      subject: `${businessName} imesimamishwa`,
      opening: [
        `Pesa za ${businessName} ziko salama katika akaunti yake. Kwa sasa haiwezi kupokea malipo, na API key zake hazifanyi kazi.`,
      ],
      facts: [['Sababu', reason]],
      closing: [`Wasiliana na ${brand} ujue la kufanya.`],
    }),
    merchant_reinstated: ({ businessName }) => ({
      subject: `${businessName} inaweza kupokea malipo tena`,
      opening: [
        `Kusimamishwa kwa ${businessName} kumeisha. Inaweza kupokea malipo tena, kwa API key zilezile.`,
      ],
      closing: ['Huhitaji kufanya lolote.'],
    }),
    refund_failed: ({ businessName, amountText, reference, mode, time }, brand) => ({
      subject: `${businessName}: kurejesha ${amountText} hakukufanikiwa`,
      opening: [
        `Mteja hakupata ${amountText} ambazo ${businessName} ilimrejeshea: mtoa huduma amekataa. Pesa zimerudi kwenye akaunti ya biashara.`,
      ],
      facts: [
        ['Malipo', reference],
        ['Hali', mode],
        ['Wakati', time],
      ],
      closing: [
        `Ona sababu kwenye ukurasa wa malipo haya katika sehemu ya Biashara ya ${brand}. Kisha rejesha tena, au muulize mteja umrudishie kwa njia gani nyingine.`,
      ],
    }),
    campaign_ended: ({ title, raisedText, goalText }, brand) => ({
      subject: `Mchango wako umefungwa: ${title}`,
      opening: [
        'Muda wake umeisha, na hakuna anayeweza kuchangia tena. Pesa zilizochangwa ziko salama katika akaunti yake.',
      ],
      facts: [
        ['Zilizochangwa', raisedText],
        ['Lengo', goalText],
      ],
      closing: [
        `Unaweza kutoa pesa hizo katika ${brand} wakati wowote, na kuwaambia waliochangia zimefanya nini.`,
      ],
    }),
    campaign_paused: ({ title, reason }, brand) => ({
      subject: `Mchango wako umesimamishwa: ${title}`,
      opening: [
        'Pesa za mchango wako ziko salama katika akaunti yake. Kwa sasa hakuna anayeweza kuchangia, wala pesa haziwezi kutolewa.',
      ],
      facts: [['Sababu', reason]],
      closing: [`Wasiliana na ${brand} ujue la kufanya.`],
    }),
    campaign_resumed: ({ title }) => ({
      subject: `Mchango wako unaendelea: ${title}`,
      opening: [
        'Kusimamishwa kwa mchango wako kumeisha. Watu wanaweza kuchangia tena, nawe unaweza kutoa pesa.',
      ],
      closing: ['Huhitaji kufanya lolote.'],
    }),
    campaign_returning: ({ title, reason }, brand) => ({
      subject: `Mchango wako umefungwa kabisa: ${title}`,
      opening: ['Pesa zilizo katika akaunti ya mchango wako zinarudishwa kwa waliozitoa.'],
      facts: [['Sababu', reason]],
      closing: [`Ukiona kwamba si sawa, wasiliana na ${brand}.`],
    }),
    campaign_returned: ({ title, reason, amountText, reference }) => ({
      subject: `Pesa ulizochanga zimerudi: ${title}`,
      opening: ['Mchango huo umefungwa, na pesa ulizotoa zimerudi katika pochi yako.'],
      facts: [
        ['Kiasi', amountText],
        ['Sababu', reason],
        ['Kumbukumbu', reference],
      ],
      closing: ['Huhitaji kufanya lolote.'],
    }),
    notification_trouble: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: taarifa haikufika`,
      opening: [
        'Malipo yenyewe hayajaathirika. Hatukuweza kuijulisha seva yako kuhusu malipo mojawapo, na tunaendelea kujaribu.',
      ],
      facts: [
        ['Anwani', url],
        ['Imeshindikana tangu', time],
      ],
      closing: [
        `Ona kila jaribio chini ya Taarifa katika sehemu ya Biashara ya ${brand}. Seva yako ikifanya kazi tena, unaweza kuagiza zitumwe mara moja.`,
      ],
    }),
    notification_suspended: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: taarifa zimesitishwa`,
      opening: [
        `Malipo yenyewe hayajaathirika. Seva yako imerudisha makosa tu, kwa hiyo tumeacha kuitumia taarifa. Zile ambazo zingetumwa zimehifadhiwa.`,
      ],
      facts: [
        ['Anwani', url],
        ['Zimesitishwa tangu', time],
      ],
      closing: [
        `Seva yako ikifanya kazi tena, agiza taarifa zilizohifadhiwa zitumwe katika sehemu ya Biashara ya ${brand}.`,
      ],
    }),
    notification_gone: ({ businessName, url, time }, brand) => ({
      subject: `${businessName}: taarifa zimesitishwa`,
      opening: [
        `Malipo yenyewe hayajaathirika. Seva yako imesema kwamba anwani hii haipo tena, kwa hiyo tumeacha kuitumia taarifa. Zile ambazo zingetumwa zimehifadhiwa.`,
      ],
      facts: [
        ['Anwani', url],
        ['Zimesitishwa tangu', time],
      ],
      closing: [
        `Seva yako ikifanya kazi tena, agiza taarifa zilizohifadhiwa zitumwe katika sehemu ya Biashara ya ${brand}.`,
      ],
    }),
  },
}
