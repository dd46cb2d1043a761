/** An untrusted certificate for localhost and its key, only for tests. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYhU0USHCilhm88eK
cin7kF1viTAMvudl33FQ8nqGgs+hRANCAATP02w6zFtq+Cyn96zzFciScsrbUN1N
wqBrayFwARrpNzaaha7NwY+bz4gOyBHowOZX/sVnwDIjjIswnNJjMm+b
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBgDCCASWgAwIBAgIUUrd+4nRIkwPxdbc+au0Uk/qpHMQwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAzMjExNVoYDzIxMjYxMDI5
MDMyMTE1WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATP02w6zFtq+Cyn96zzFciScsrbUN1NwqBrayFwARrpNzaaha7NwY+b
z4gOyBHowOZX/sVnwDIjjIswnNJjMm+bo1MwUTAdBgNVHQ4EFgQUa+v+ehvKUXOH
McE0J+jbNBU+qmUwHwYDVR0jBBgwFoAUa+v+ehvKUXOHMcE0J+jbNBU+qmUwDwYD
VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA2vhzeth0UdAlsA+9lsxZ
/oXJpixgzRliYW+cKNOu5yoCIQDAzS7HsKNH+pdJx1UUZvnrtUw2T8f2ZCIYZjZy
XuYnCQ==
-----END CERTIFICATE-----
`,
};
