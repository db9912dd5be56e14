#ifndef FINDMYBIKE_CDBUS_SHIM_H
#define FINDMYBIKE_CDBUS_SHIM_H

#include <dbus/dbus.h>

#endif
