print("The program is not built yet.")
