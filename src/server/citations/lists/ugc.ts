import { domainList } from './domain-list.js';

/** Question and answer sites that share the Stack Exchange software and its URLs. */
export const STACK_EXCHANGE_DOMAINS = domainList(`
  stackoverflow.com superuser.com serverfault.com askubuntu.com mathoverflow.net stackapps.com stackexchange.com
`);

/** Forums, boards, and question and answer sites: every page is a discussion. */
export const FORUM_DOMAINS: readonly string[] = [
  ...STACK_EXCHANGE_DOMAINS,
  ...domainList(`
    reddit.com redd.it quora.com news.ycombinator.com lobste.rs slashdot.org metafilter.com tildes.net lemmy.world
    groups.google.com groups.io answers.microsoft.com discussions.apple.com answers.com fluther.com
    chiebukuro.yahoo.co.jp zhihu.com tieba.baidu.com zhidao.baidu.com v2ex.com 5ch.net 4chan.org 4channel.org
    gutefrage.net wer-weiss-was.de motor-talk.de wallstreet-online.de forocoches.com commentcamarche.net
    mumsnet.com netmums.com thestudentroom.co.uk whirlpool.net.au hardwarezone.com.sg
    avsforum.com head-fi.org xda-developers.com overclock.net linustechtips.com resetera.com neogaf.com
    bogleheads.org biggerpockets.com elitetrader.com city-data.com bitcointalk.org
    blackhatworld.com warriorforum.com digitalpoint.com namepros.com indiehackers.com
    spiceworks.com tek-tips.com experts-exchange.com audiosciencereview.com styleforum.net
    rennlist.com bimmerpost.com teslamotorsclub.com garagejournal.com diychatroom.com
    cruisecritic.com flyertalk.com hotukdeals.com mydealz.de dealabs.com pepper.pl slickdeals.net
    ozbargain.com.au redflagdeals.com
  `),
];

export const SOCIAL_DOMAINS = domainList(`
  facebook.com fb.com fb.watch messenger.com instagram.com threads.net threads.com x.com twitter.com t.co
  linkedin.com lnkd.in pinterest.com pinterest.co.uk pinterest.de pinterest.fr pinterest.es pinterest.it pinterest.ca
  pinterest.com.au pinterest.jp pin.it snapchat.com tumblr.com vk.com ok.ru weibo.com xiaohongshu.com douban.com
  mastodon.social mastodon.online fosstodon.org bsky.app nextdoor.com xing.com meetup.com telegram.org t.me
  discord.com discord.gg whatsapp.com line.me kakao.com steamcommunity.com producthunt.com goodreads.com letterboxd.com
  strava.com flickr.com imgur.com 9gag.com deviantart.com behance.net dribbble.com linktr.ee truthsocial.com gab.com
`);

export const VIDEO_DOMAINS = domainList(`
  youtube.com youtu.be youtube-nocookie.com youtubekids.com vimeo.com dailymotion.com tiktok.com twitch.tv rumble.com
  odysee.com bitchute.com bilibili.com nicovideo.jp youku.com rutube.ru kick.com loom.com
  soundcloud.com mixcloud.com podbean.com
`);

/** Platforms where anybody can publish on the domain of the platform. */
export const SELF_PUBLISHING_DOMAINS = domainList(`
  medium.com substack.com dev.to hashnode.dev hashnode.com hackernoon.com blogspot.com blogger.com wordpress.com
  livejournal.com ghost.io beehiiv.com write.as telegra.ph note.com qiita.com zenn.dev habr.com csdn.net juejin.cn
  naver.com tistory.com hatenablog.com ameblo.jp over-blog.com wixsite.com weebly.com jimdosite.com
  github.com gitlab.com bitbucket.org github.io gitlab.io codepen.io kaggle.com huggingface.co replit.com
  slideshare.net scribd.com issuu.com speakerdeck.com fandom.com wikihow.com instructables.com
  hubpages.com vocal.media patreon.com ko-fi.com buymeacoffee.com change.org
`);

/** Content by the users of a platform: forums, social networks, video, questions and answers, self-publishing. */
export const UGC_DOMAINS: readonly string[] = [
  ...FORUM_DOMAINS,
  ...SOCIAL_DOMAINS,
  ...VIDEO_DOMAINS,
  ...SELF_PUBLISHING_DOMAINS,
];
