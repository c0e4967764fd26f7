# row: 58
# threat: fifty executions compare random numbers, UUIDs, hash seeds and secrets
# bubblewrap: E
# process: E
# macos: E, not run yet
# windows: E, not run yet
# container: E
# remote: E, not run yet
# scenario: randomness
# expect: different.* == 50


import random
import secrets
import uuid

findings = {
    "random": random.random(),
    "uuid4": str(uuid.uuid4()),
    "hash": hash("psych"),
    "secret": secrets.token_hex(8),
    "urandom": os.urandom(8).hex(),
}
findings
