/// `UTIME_OMIT` of `<sys/stat.h>`, a macro that Swift does not import: leave this time as it is.
package let utimeOmit = (1 << 30) - 2
