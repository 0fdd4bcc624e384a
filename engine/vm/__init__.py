"""What runs compiled GSC: values, operators, objects, threads, scheduler, events."""
