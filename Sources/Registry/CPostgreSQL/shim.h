#ifndef FINDMYBIKE_CPOSTGRESQL_SHIM_H
#define FINDMYBIKE_CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>

// Macros with character constants, which Swift does not import
// (https://www.postgresql.org/docs/15/libpq-exec.html#LIBPQ-PQRESULTERRORFIELD).
static const int findmybike_diag_severity = PG_DIAG_SEVERITY_NONLOCALIZED;
static const int findmybike_diag_state = PG_DIAG_SQLSTATE;
static const int findmybike_diag_message = PG_DIAG_MESSAGE_PRIMARY;
static const int findmybike_diag_constraint = PG_DIAG_CONSTRAINT_NAME;
static const int findmybike_diag_function = PG_DIAG_SOURCE_FUNCTION;

#endif
