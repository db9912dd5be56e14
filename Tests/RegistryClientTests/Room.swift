// Tests follow with the room's first stage.
