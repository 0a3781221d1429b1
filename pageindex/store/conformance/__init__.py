"""What every library must do, as contracts to run against any implementation."""
