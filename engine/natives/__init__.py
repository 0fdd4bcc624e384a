"""What a script may call: functions, methods and fields, one module a subject."""
