@rem `npm start` begins with exec, a word of POSIX shells that cmd does not know. Here it runs what follows it.
@%*
