# row: 28
# threat: breakaway from a job object, nested jobs, a child made before it is assigned
# bubblewrap: -
# process: -
# macos: -
# windows: E, not run yet
# container: -
# remote: -
# says: A matter of Windows alone.
