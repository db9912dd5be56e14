// The room is empty until its first stage lands.
