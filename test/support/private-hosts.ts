const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Spellings of addresses that reach this machine. */
export const LOOPBACK_HOSTS = list(`
  127.0.0.1 127.1 127.0.1 127.255.255.254 2130706433 0x7f000001 0x7F.1 0x7f.0x0.0x0.0x1 017700000001 0177.0.0.1 0177.1
  0177.0x0.1 00000177.0.0.1 127.0.0.1. １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 %31%32%37.0.0.1 0 0.0.0.0 0x0 00 0.1.2.3
  [::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [::0.0.0.1] [::127.0.0.1] [::7f00:1]`);

/** An IPv4 address inside an IPv6 address: mapped, translated, NAT64, 6to4, Teredo. */
const CARRIED_HOSTS = list(`
  [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::FFFF:10.0.0.1] [::ffff:169.254.169.254]
  [::ffff:0.0.0.0] [::ffff:192.168.0.1] [::ffff:a9fe:a9fe] [::ffff:0:127.0.0.1] [::ffff:0:8.8.8.8]
  [64:ff9b::127.0.0.1] [64:ff9b::a00:1] [64:ff9b::169.254.169.254] [64:ff9b:1::8.8.8.8] [64:ff9b:1:ffff::1]
  [2002:7f00:1::] [2002:a00:1::1] [2002:a9fe:a9fe::] [2002:c0a8:101:1:2:3:808:808] [2001:0:808:808::1]`);

const OTHER_HOSTS = list(`
  10.0.0.1 10.255.255.255 167772161 012.1 0xa.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257 100.64.0.1
  100.127.255.255 100.100.100.200 169.254.169.254 168.63.129.16 0xa9fea9fe 2852039166 0251.0376.0251.0376 192.0.0.1 192.0.0.170
  192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 4294967295
  [fc00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [feff::1] [ff00::1] [ff02::1] [100::1]
  [100:0:0:1::1] [2001::1] [2001:1::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:1ff::1] [2001:db8::1] [3fff::1]
  [3fff:fff::1] [5f00::1] [1::1] [4000::1] [ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]`);

export const PRIVATE_HOSTS = [...LOOPBACK_HOSTS, ...CARRIED_HOSTS, ...OTHER_HOSTS];

/** Names that every resolver knows. */
export const LOCAL_NAMES = list('localhost LOCALHOST localhost. LocalHost loc%61lhost ｌｏｃａｌｈｏｓｔ');
